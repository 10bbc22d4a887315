// The outputs of a notebook's training cells, as if each cell had written a log: what it printed, the tables it showed, the error that
// ended it. Nothing of the notebook is run.
import { parseTolerantJson } from '../bytes/tolerant-json.js';

export interface TrainingCell {
  /** Counted from 1 among the code cells, as `grus check --cell` counts. */
  readonly cell: number;
  readonly text: string;
}

export interface NotebookOutputs {
  readonly cells: readonly TrainingCell[];
  /** Hyperparameters that the sources set by a plain number or name. */
  readonly settings: Readonly<Record<string, number | string>>;
}

interface Output {
  readonly output_type?: unknown;
  readonly text?: unknown;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly ename?: unknown;
  readonly evalue?: unknown;
  readonly traceback?: unknown;
}

const trainsInSource =
  /\.(?:fit|train|fit_generator)\s*\(|\.backward\s*\(|\.step\s*\(|GradientTape|for\s+epoch\b|for\s+step\b|\btrain\w*\s*\(/;
const trainsInOutput = /\b(?:loss|epoch|perplexity|accuracy|reward)\b\W{0,6}\S{0,20}\d/i;
const trainsInError = /\b(?:backward|optimizer|training_step|trainer|train\w*|fit|loss|epoch)\b/i;

/** Null when the text is no notebook. */
export function notebookOutputs(source: string): NotebookOutputs | null {
  const notebook = parseTolerantJson(source) as { cells?: unknown; worksheets?: unknown } | undefined;
  const cells = cellsOf(notebook);
  if (cells === null) return null;
  const code = cells.filter(({ cell_type }) => cell_type === 'code');
  const all = code.map(({ source: text, input, outputs }, index) => {
    const shown = Array.isArray(outputs) ? (outputs as Output[]) : [];
    const code = joined(text ?? input);
    const printed = shown
      .map(textOf)
      .filter((part) => part !== '')
      .join('\n');
    const failed = shown.some(({ output_type }) => output_type === 'error' || output_type === 'pyerr');
    const trains =
      trainsInSource.test(code) || trainsInOutput.test(printed) || (failed && trainsInError.test(printed));
    return { cell: index + 1, text: printed, code, failed, trains };
  });
  const speaking = all.filter(({ text }) => text !== '');
  const training = speaking.filter(({ trains }) => trains);
  const failing = speaking.filter(({ failed }) => failed);
  const chosen = training.length > 0 ? training : failing.length > 0 ? failing : speaking;
  return {
    cells: chosen.map(({ cell, text }) => ({ cell, text })),
    settings: Object.assign({}, ...all.map(({ code }) => settingsOf(code))),
  };
}

type Cell = { cell_type?: unknown; source?: unknown; input?: unknown; outputs?: unknown };

function cellsOf(notebook: { cells?: unknown; worksheets?: unknown } | undefined): Cell[] | null {
  if (notebook === null || typeof notebook !== 'object') return null;
  const { cells, worksheets } = notebook;
  const found = Array.isArray(cells)
    ? cells
    : Array.isArray(worksheets)
      ? worksheets.flatMap((sheet: { cells?: unknown }) => (Array.isArray(sheet?.cells) ? sheet.cells : []))
      : null;
  return found?.filter((cell): cell is Cell => cell !== null && typeof cell === 'object') ?? null;
}

function joined(text: unknown): string {
  return Array.isArray(text) ? text.map(String).join('') : typeof text === 'string' ? text : '';
}

function textOf(output: Output): string {
  if (output === null || typeof output !== 'object') return '';
  if (output.output_type === 'error' || output.output_type === 'pyerr') {
    const lines = Array.isArray(output.traceback) ? output.traceback.map(String).join('\n') : '';
    // A traceback that was cleared away leaves the name and the message.
    return lines !== '' ? lines : `${joined(output.ename)}: ${joined(output.evalue)}`;
  }
  const html = joined(output.data?.['text/html']);
  if (/<table/i.test(html)) return tableLines(html);
  return joined(output.text ?? output.data?.['text/plain']);
}

/** The rows of a table, each under its headings: "step=500 training_loss=0.41". */
function tableLines(html: string): string {
  const rows = html
    .slice(0, 2_000_000)
    .split(/<tr\b[^>]{0,200}>/i)
    .slice(1)
    .map((row) =>
      row
        .split(/<\/tr/i, 1)[0]!
        .split(/<t[hd]\b[^>]{0,200}>/i)
        .slice(1)
        .map((cell) =>
          cell
            .split(/<\/t[hd]/i, 1)[0]!
            .replace(/<[^>]{0,500}>/g, '')
            .trim(),
        ),
    );
  const headings = rows[0]?.map((heading) => heading.toLowerCase().replace(/\W+/g, '_')) ?? [];
  return rows
    .slice(1)
    .map((row) => row.map((cell, at) => `${headings[at] || `column_${at}`}=${cell}`).join(' '))
    .join('\n');
}

const plainSetting =
  /\b(lr|learning_rate|batch_size|epochs|num_epochs|num_train_epochs|weight_decay|momentum|max_steps|num_workers|hidden_size|num_classes|vocab_size|per_device_train_batch_size|gradient_accumulation_steps|max_grad_norm|warmup_steps|dropout|seed)\s*=\s*([-+]?\d[\d_]*\.?\d*(?:e[-+]?\d+)?)\b/gi;
const optimizerCall =
  /\b(?:optim|optimizers|torch\.optim|keras\.optimizers|transformers)\.(SGD|Adam|AdamW|RMSprop|Adagrad|Adamax|NAdam|RAdam|Lion|Adafactor|Adadelta)\b\s*\(/;

function settingsOf(code: string): Record<string, number | string> {
  const settings: Record<string, number | string> = {};
  for (const [, name, value] of code.matchAll(plainSetting)) {
    const number = Number(value!.replace(/_/g, ''));
    if (Number.isFinite(number)) settings[name!.toLowerCase()] = number;
  }
  const optimizer = optimizerCall.exec(code)?.[1];
  if (optimizer) settings['optimizer'] = optimizer;
  return settings;
}
