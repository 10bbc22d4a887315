// MLflow's file store: one file per metric, one line per point; params as files of their own; the run's status in
// meta.yaml. MLflow itself reads the step only of three-field lines; the third field is the step in longer ones too.
import { numberFromText } from '../bytes/numbers.js';
import { LineSplitter } from '../lines.js';
import { defineReader, type FileHead, wholeFile } from '../reader.js';

const runPath = /(?:^|\/)[0-9a-f]{32}\/(metrics|params)\/(.+)$/;
const pointLine = /^\d{10,16} (?:[-+\d.eE]+|-?nan|-?inf(?:inity)?)(?: \d+)?(?: |$)/im;

function part(head: FileHead): { kind: string; key: string } | null {
  const match = runPath.exec(head.path);
  if (match) return { kind: match[1]!, key: match[2]! };
  const bare = /(?:^|\/)metrics\/(.+)$/.exec(head.path);
  return bare && pointLine.test(head.text.slice(0, 200)) ? { kind: 'metrics', key: bare[1]! } : null;
}

const statuses = ['', 'running', 'running', 'completed', 'failed', 'cancelled'] as const;

export const mlflowFiles = defineReader({
  id: 'mlflow-files',
  title: 'MLflow file store',
  fidelity: 8,
  matches: (head) => part(head) !== null || isRunMeta(head),
  open: (record, head) => {
    const found = part(head);
    if (found === null) return wholeFile(record, 1 << 20, (text) => readStatus(text));
    if (found.kind === 'params') {
      return wholeFile(record, 1 << 20, (text) => record.setting(found.key, settingValue(text.trim()), 1));
    }
    const lines = new LineSplitter(record, (text, line) => {
      const [timestamp, value, step] = text.split(' ');
      const number = value === undefined ? undefined : numberFromText(value);
      if (number === undefined) record.note('corrupt', `line ${line} is no point`, line);
      else
        record.point(
          found.key,
          step === undefined ? line - 1 : Number(step),
          number,
          line,
          Number(timestamp),
        );
    });
    return { write: (chunk) => lines.write(chunk), end: () => lines.end() };

    function readStatus(text: string): void {
      const status = Number(/^status: (\d)/m.exec(text)?.[1] ?? 0);
      const start = Number(/^start_time: (\d+)/m.exec(text)?.[1] ?? Number.NaN);
      if (!Number.isNaN(start)) record.startTime = start;
      const reason = statuses[status];
      if (!reason) return;
      const line = text.slice(0, text.indexOf('status:')).split('\n').length;
      record.exit({
        source: 'mlflow',
        reason,
        code: null,
        signal: null,
        rank: null,
        text: `status: ${status}`,
        at: record.at(line),
        time: Number(/^end_time: (\d+)/m.exec(text)?.[1] ?? Number.NaN) || null,
        step: null,
      });
    }
  },
});

function isRunMeta({ name, text }: FileHead): boolean {
  return name === 'meta.yaml' && /^run_(?:id|uuid):/m.test(text);
}

export function settingValue(text: string): string | number | boolean | null {
  if (text === 'True' || text === 'true') return true;
  if (text === 'False' || text === 'false') return false;
  if (text === 'None' || text === '') return null;
  const number = numberFromText(text);
  const isTooLarge = /^\d+e\d+$/i.test(text) && !Number.isFinite(number);
  return number === undefined || isTooLarge ? text : number;
}
