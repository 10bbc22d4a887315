// The answer of `ncclras`: who is dead, who reports an error, and who launched fewer operations. Counts differ in healthy jobs too: they
// count beside a run that stands still.
import type { LibraryMessage } from '../../record/device.js';
import { type JsonValue, parseTolerantJson } from '../bytes/tolerant-json.js';
import type { FileRecord } from '../collect/file-record.js';

export function readAnswer(record: FileRecord, text: string): void {
  if (/^\s*\{/.test(text)) fromJson(record, parseTolerantJson(text) ?? null);
  else fromText(record, text);
}

/** How many operations of a kind a rank of a communicator has launched. */
interface Launched {
  readonly communicator: string;
  readonly operation: string;
  readonly rank: number | null;
  readonly count: number;
  readonly line: number;
}

function tell(
  record: FileRecord,
  kind: LibraryMessage['kind'],
  rank: number | null,
  text: string,
  line: number,
) {
  record.deviceMessage({
    kind,
    code: null,
    text,
    rank,
    at: record.at(line),
    time: null,
    step: null,
    count: 1,
  });
}

/** Behind is who launched less than most of its communicator, and nowhere more: the latter waits for somebody itself. */
function tellBehind(record: FileRecord, launched: readonly Launched[]): void {
  const kinds = new Map<string, Launched[]>();
  for (const entry of launched) {
    const key = `${entry.communicator} ${entry.operation}`;
    kinds.set(key, [...(kinds.get(key) ?? []), entry]);
  }
  const ahead = new Set<number>();
  const behind = new Map<number, { readonly entry: Launched; readonly most: number }>();
  for (const entries of kinds.values()) {
    const most = Math.max(...entries.map(({ count }) => count));
    if (entries.every(({ count }) => count === most)) continue;
    for (const entry of entries) {
      if (entry.rank === null) continue;
      if (entry.count === most) ahead.add(entry.rank);
      else behind.set(entry.rank, { entry, most });
    }
  }
  for (const [rank, { entry, most }] of behind)
    if (!ahead.has(rank))
      tell(
        record,
        'rank_behind',
        rank,
        `rank ${rank} has launched ${entry.count} of ${entry.operation}, others ${most}`,
        entry.line,
      );
}

function isObject(value: JsonValue | undefined): value is { readonly [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function objectsIn(value: JsonValue | undefined) {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function numberIn(value: JsonValue | undefined): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** The codes of ncclResult_t that are a rank's own fault; a remote error (6) and one in progress (7) are none. */
const ownErrors: Readonly<Record<number, string>> = {
  1: 'unhandled CUDA error',
  2: 'system error',
  3: 'internal error',
  4: 'invalid argument',
  5: 'invalid usage',
};

function fromJson(record: FileRecord, value: JsonValue): void {
  const communicators = objectsIn(isObject(value) ? value['communicators'] : undefined);
  const world = communicators.reduce<(typeof communicators)[number] | null>(
    (best, one) => ((numberIn(one['size']) ?? 0) > (numberIn(best?.['size']) ?? 0) ? one : best),
    null,
  );
  if (world === null) return;
  record.worldSize ??= numberIn(world['size']);
  const process = (entry: (typeof communicators)[number]) =>
    `${entry['host']} ${entry['pid']} ${entry['cuda_dev']}`;
  // The largest communicator holds all ranks: its numbers are those of the job.
  const ranks = new Map<string, number>();
  const gone = new Map<number, string>();
  for (const key of ['ranks', 'missing_ranks'])
    for (const entry of objectsIn(world[key])) {
      const rank = numberIn(entry['rank']);
      if (rank === null) continue;
      const host = typeof entry['host'] === 'string' ? entry['host'] : null;
      ranks.set(process(entry), rank);
      record.seat({ rank, host, device: numberIn(entry['cuda_dev']), pid: numberIn(entry['pid']) });
      // One that answers and only has no such communicator is there.
      if (isTrue(entry, 'considered_dead')) gone.set(rank, 'is considered dead');
      else if (isTrue(entry, 'unresponsive')) gone.set(rank, 'does not answer');
    }
  for (const [rank, word] of gone) tell(record, 'rank_gone', rank, `ncclras: rank ${rank} ${word}`, 1);
  const launched: Launched[] = [];
  for (const one of communicators)
    for (const entry of objectsIn(one['ranks'])) {
      const rank = ranks.get(process(entry)) ?? null;
      const { status, collective_counts: counts } = entry;
      const error = isObject(status) ? ownErrors[numberIn(status['async_error']) ?? 0] : undefined;
      if (error && rank !== null) tell(record, 'nccl', rank, `ncclras: rank ${rank} reported ${error}`, 1);
      if (!isObject(counts)) continue;
      for (const [operation, count] of Object.entries(counts))
        launched.push({
          communicator: String(one['hash']),
          operation,
          rank,
          count: numberIn(count) ?? 0,
          line: 1,
        });
    }
  tellBehind(record, launched);
}

function isTrue({ status }: { readonly [key: string]: JsonValue }, key: string): boolean {
  return isObject(status) && status[key] === true;
}

const rankLine =
  /^ {2}Rank (\d+)(?: (has launched up to operation (\d+)|has not launched any operations|has status (\w+)|reported (.+?)))? -- (?:GPU (\d+).*? managed by process (\d+) on node (\S+)|\[)/;
const countLine = /^ {2}(\d+) ranks have (?:launched up to operation (\d+)|not launched any operations)/;

function fromText(record: FileRecord, text: string): void {
  let section = '';
  let communicator = '';
  let operation = '';
  let count: number | null = null;
  let error: string | null = null;
  /** Groups of communicators of one size, from the largest: the numbers of the first are those of the job, where it is one. */
  let holdsAll = false;
  const launched: Launched[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const number = index + 1;
    const row = /^ {4}0 +(\d+) +\d+ +[\d-]+ +(\d+) +\d+ +\S+ +\S+$/.exec(line);
    if (row) {
      holdsAll = row[1] === '1';
      record.worldSize ??= Number(row[2]);
      continue;
    }
    const titled = /^(?:#(\d+-\d+) \(\w+\) )?(INCOMPLETE|DEAD|ERROR|MISMATCH|TIMEOUT)$/.exec(line);
    if (titled) {
      section = titled[2]!;
      communicator = titled[1] ?? '';
      [operation, count, error] = ['', null, null];
      continue;
    }
    const kind = /^ {2}Communicator ranks have different (?:(\w+) operation counts|status)$/.exec(line);
    if (kind) [operation, count] = [kind[1] ?? '', null];
    const several = countLine.exec(line);
    if (several) {
      count = Number(several[2] ?? 0);
      for (let one = 0; one < Math.min(Number(several[1]), 2); one++)
        launched.push({ communicator, operation, rank: null, count, line: number });
    }
    const reported = /^ {2}\d+ ranks reported (.+)$/.exec(line);
    if (reported) error = reported[1]!;
    const process = /^ {2}Process (\d+) on node (\S+) managing GPUs? (\d+)/.exec(line);
    if (process && section === 'DEAD')
      tell(
        record,
        'rank_gone',
        null,
        `ncclras: process ${process[1]} on ${process[2]} is considered dead`,
        number,
      );
    const found = rankLine.exec(line);
    if (found === null) continue;
    const rank = holdsAll && communicator === '0-0' ? Number(found[1]) : null;
    if (rank !== null && found[7] !== undefined)
      record.seat({ rank, host: found[8]!, device: Number(found[6]), pid: Number(found[7]) });
    if (section === 'INCOMPLETE' && rank !== null)
      tell(record, 'rank_gone', rank, `ncclras: rank ${rank} does not answer`, number);
    const said = found[5] ?? (section === 'ERROR' ? error : null);
    if (said && !/Remote process|in progress/.test(said))
      tell(record, 'nccl', rank, `ncclras: rank ${found[1]} reported ${said}`, number);
    if (section !== 'MISMATCH' || operation === '') continue;
    const own = found[2]?.startsWith('has launched') ? Number(found[3]) : found[2] === undefined ? count : 0;
    if (own !== null) launched.push({ communicator, operation, rank, count: own, line: number });
  }
  tellBehind(record, launched);
}
