// Events among the JSON lines that the hooks and `grus watch` write: the start with settings and versions, facts that
// became known later, and how the run ended. A row with the key `grus` is an event, never a point of a curve.
import { rankOfPath } from '../../ranks/present/path-rank.js';
import type { ExitReason } from '../../record/exit.js';
import type { JsonValue } from '../bytes/tolerant-json.js';
import type { FileRecord } from '../collect/file-record.js';
import { TracebackParser } from '../console/failures/traceback.js';

type Row = { readonly [key: string]: JsonValue };

const reasons: Readonly<Record<string, ExitReason>> = {
  completed: 'completed',
  failed: 'failed',
  signal: 'signal',
};

export function isHookEvent(row: Row): boolean {
  return typeof row['grus'] === 'string';
}

export function readHookEvent(record: FileRecord, row: Row, line: number): void {
  if (row['grus'] === 'start') begin(record, row, line);
  if (isObject(row['config'])) record.settingTree('', row['config'], line);
  if (isObject(row['versions'])) readVersions(record, row['versions'], line);
  if (isObject(row['hardware'])) readHardware(record, row['hardware'], line);
  if (row['grus'] === 'end') readEnd(record, row, line);
}

/**
 * The run began, or went on in the same file: how it had ended before is history. Until the hooks write its end it is running, or was
 * ended by something that leaves no time for a last word.
 */
function begin(record: FileRecord, row: Row, line: number): void {
  record.exits.length = 0;
  record.tracebacks.length = 0;
  record.exit({
    source: row['by'] === 'watch' ? 'grus' : 'python',
    reason: 'running',
    code: null,
    signal: null,
    rank: null,
    text: 'a start was recorded and no end',
    at: record.at(line),
    time: null,
    step: null,
  });
}

function readVersions(record: FileRecord, versions: Row, line: number): void {
  for (const [name, version] of Object.entries(versions))
    if (typeof version === 'string') record.version(name, version, line);
}

function readHardware(record: FileRecord, hardware: Row, line: number): void {
  record.hostMemory = positive(hardware['host_memory']) ?? record.hostMemory;
  record.cpuCount = positive(hardware['cpu_count']) ?? record.cpuCount;
  record.worldSize = positive(hardware['world_size']) ?? record.worldSize;
  const rank = rankIn(record);
  if (rank !== null && typeof hardware['host'] === 'string') {
    const device = typeof hardware['device'] === 'number' ? hardware['device'] : null;
    const pid = typeof hardware['pid'] === 'number' ? hardware['pid'] : null;
    record.seat({ rank, host: hardware['host'], device, pid });
  }
  const gpus = hardware['gpus'];
  if (!Array.isArray(gpus) || record.gpus.length > 0) return;
  for (const gpu of gpus.slice(0, 64)) {
    if (!isObject(gpu)) continue;
    record.gpus.push({
      index: typeof gpu['index'] === 'number' ? gpu['index'] : null,
      name: typeof gpu['name'] === 'string' ? gpu['name'] : null,
      memoryTotal: positive(gpu['memory_total']),
      at: record.at(line),
    });
  }
}

function readEnd(record: FileRecord, row: Row, line: number): void {
  const step = typeof row['step'] === 'number' ? row['step'] : null;
  const time = typeof row['time'] === 'number' ? row['time'] * 1000 : null;
  const rank = rankIn(record);
  record.exits.length = 0;
  if (step !== null) record.reachStep(step);
  const traceback = row['traceback'];
  if (typeof traceback === 'string') {
    const parser = new TracebackParser(record);
    for (const text of traceback.slice(0, 50_000).split('\n')) parser.feed({ text, line, rank, time, step });
    parser.finish();
  }
  const exit = isObject(row['exit']) ? row['exit'] : {};
  const reason = reasons[String(exit['reason'])];
  // An interpreter that merely ended may have been told to by sys.exit(1): that says nothing.
  if (reason === undefined) return;
  const signal = typeof exit['signal'] === 'string' ? exit['signal'] : null;
  const code = typeof exit['code'] === 'number' ? exit['code'] : null;
  record.exit({
    source: row['by'] === 'watch' ? 'grus' : 'python',
    reason,
    code,
    signal,
    rank,
    text: describe(reason, code, signal),
    at: record.at(line),
    time,
    step,
  });
}

/** The first of several ranks writes the file without a number. */
function rankIn(record: FileRecord): number | null {
  return rankOfPath(record.file) ?? ((record.worldSize ?? 1) > 1 ? 0 : null);
}

function describe(reason: ExitReason, code: number | null, signal: string | null): string {
  if (signal !== null) return `ended by ${signal}`;
  if (reason === 'completed') return 'the training loop came to its end';
  return code === null ? 'ended by an exception' : `ended with exit code ${code}`;
}

function isObject(value: JsonValue | undefined): value is { [key: string]: JsonValue } {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function positive(value: JsonValue | undefined): number | null {
  return typeof value === 'number' && value > 0 ? value : null;
}
