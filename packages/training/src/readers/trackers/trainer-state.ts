// The Hugging Face Trainer's trainer_state.json. Python's json writes bare NaN, so exactly the files of failing
// runs are those a strict parser rejects.

import { numberFromText } from '../bytes/numbers.js';
import { JsonTokenizer } from '../bytes/tolerant-json.js';
import type { FileRecord } from '../collect/file-record.js';
import { defineReader, endJson, type Parser } from '../reader.js';

export const trainerState = defineReader({
  id: 'trainer-state',
  title: 'Hugging Face trainer state',
  fidelity: 6,
  rewritten: true,
  matches: ({ name, text }) =>
    name === 'trainer_state.json' ||
    (name.endsWith('.json') && text.startsWith('{') && text.includes('"log_history"')),
  open: (record) => new TrainerStateParser(record),
});

const facts = new Set([
  'global_step',
  'max_steps',
  'num_train_epochs',
  'train_batch_size',
  'logging_steps',
  'eval_steps',
  'save_steps',
  'epoch',
  'best_metric',
  'total_flos',
  'num_input_tokens_seen',
]);

class TrainerStateParser implements Parser {
  private readonly tokenizer: JsonTokenizer;
  private path: string[] = [];
  private key = '';
  private row: Map<string, { value: number; line: number }> | null = null;
  private rowLine = 0;

  constructor(private readonly record: FileRecord) {
    this.tokenizer = new JsonTokenizer({
      key: (name) => {
        this.key = name;
      },
      open: (kind, _offset, line) => {
        this.path.push(this.key);
        if (kind === 'object' && this.path.length === 3 && this.path[1] === 'log_history') {
          this.row = new Map();
          this.rowLine = line;
        }
        this.key = '';
      },
      close: () => {
        if (this.path.length === 3) this.finishRow();
        this.key = this.path.pop() ?? '';
      },
      value: (value, _offset, line) => this.value(value, line),
    });
  }

  write(chunk: Buffer): void {
    this.tokenizer.write(chunk);
  }

  end(): void {
    endJson(this.tokenizer, this.record);
  }

  private value(value: string | number | boolean | null, line: number): void {
    if (this.path.length === 1) {
      if (facts.has(this.key) && typeof value !== 'string')
        this.record.setting(this.key, value, line, 'fact');
      if (this.key === 'global_step' && typeof value === 'number') this.record.reachStep(value);
      if (this.key === 'max_steps' && typeof value === 'number' && value > 0)
        this.record.plannedSteps = value;
      return;
    }
    if (this.row === null || this.path.length !== 3) return;
    const number =
      typeof value === 'number' ? value : typeof value === 'string' ? numberFromText(value) : undefined;
    if (number !== undefined) this.row.set(this.key, { value: number, line });
  }

  private finishRow(): void {
    const { row, record } = this;
    this.row = null;
    const step = row?.get('step')?.value;
    if (row === null || step === undefined) return;
    if (row.has('train_runtime')) {
      record.exit({
        source: 'python',
        reason: 'completed',
        code: null,
        signal: null,
        rank: null,
        text: 'the trainer logged its summary',
        at: record.at(this.rowLine),
        time: null,
        step,
      });
      return;
    }
    for (const [key, { value, line }] of row) if (key !== 'step') record.point(key, step, value, line);
  }
}
