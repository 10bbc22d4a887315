// What launchers, schedulers and log collectors put before a line: taken off, and asked for the rank.
import { markIn, onlyMarkOf, type RankMark, rankMarksOf, shiftOf } from './rank-mark.js';

export interface BareLine {
  readonly text: string;
  readonly rank: number | null;
  /** The process that a launcher names before the line, and its address. */
  readonly process?: { readonly pid: number; readonly host: string | null };
}

/** A collector's moment, before whatever a launcher wrote. */
const stamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.\d]*(?:Z|[+-]\d\d:\d\d) (?:std(?:out|err) [FP] )?/;

/** In the order they are met, outermost first; each is tried once per round. */
const prefixes: readonly RegExp[] = [
  stamp,
  /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+ \[[^\]]*\(pid \d+\)\] ?/,
  // A moment before the rank; one before anything else is left to those who read times.
  /^\[(?:\d{4}-\d\d-\d\d[ T])?\d\d:\d\d:\d\d[.,\d]*\] ?(?=\[(?:rank|rk?)[ :=]{0,2}\d)/i,
  // A moment and a host before the rank that the library tells.
  /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d\S* [A-Za-z][\w.-]{0,60}:? (?=\[(?:rank|default)[ :=]{0,2}\d{1,5}\]:)/i,
  /^[IWEF]\d{4} \d\d:\d\d:\d\d[.\d]* +\d+ [\w./-]+:\d+\] (?=\[(?:rank|process)[ :=]{0,2}\d)/i,
  /^\[(?:(?:global[ _])?(?:rank|process)[ :=]{0,2}|rk?)(?<rank>\d{1,5})\]:? ?/i,
  /^\[(?:local[ _]rank|default)[ :=]{0,2}(?<local>\d{1,5})\]:? ?/i,
  // torchrun names the role of a worker before its rank on the host.
  /^\[(?!(?:epoch|step|iter|batch|fold|cell|in|out|(?:global_)?rank|process)\d)[A-Za-z]\w{0,30}?(?<local>\d{1,5})\]:(?!\d) ?/i,
  /^\[\d+,(?:mpirank:)?(?<rank>\d{1,5})(?:,[\w.-]{1,60})?\](?:<std(?:err|out)>)?: ?/,
  /^\[(?<rank>\d{1,5})\]<std(?:err|out)>: ?/,
  /^\((?:[\w.]+ )?pid=(?<pid>\d+)(?:, ip=(?<ip>[\d.]+))?\) ?/,
  /^(?<rank>\d{1,4}): (?=Traceback|\s+File "|[\w.]+(?:Error|Exception)\b|\[rank)/,
  /^[\w.-]+-(?<container>\d{1,5}) {1,8}\| /,
  /^\[pod\/[\w.-]*?-worker-(?<worker>\d{1,5})\/[\w.-]+\] /,
  // A set or an indexed job counts its pods: "train-3", "train-3-x7k2p".
  /^\[pod\/(?!\S*-(?:master|worker|launcher|server)-)[a-z][\w.-]*?-(?<pod>\d{1,4})(?:-[a-z0-9]{5})?\/[\w.-]+\] /,
  /^\[(?:pod|container|worker)[\w/.-]*\] /,
  // A launcher over ssh puts the host before each line.
  /^[A-Za-z][\w.-]{0,60}: (?=\[(?:rank|default|20\d\d-)|Traceback|\s+File ")/,
];

export function withoutStamp(text: string): string {
  return text.replace(stamp, '');
}

/** "3: " or "(3) ". */
const labelled = /^ {0,4}(?:(\d{1,5}):|\((\d{1,5})\))(?: |$)/;

/** How the lines of one log name their ranks, as far as its beginning tells. */
export interface Marks {
  /** Each line begins with the number of its task. */
  readonly labelled: boolean;
  /** The rank of the first worker on this host, where the lines of each say its rank beside its number; null where nothing tells. */
  readonly firstLocal: number | null;
  /** The rank of the first worker: pods are counted from 0 again behind a master, which is rank 0 itself. */
  readonly firstWorker: 0 | 1;
  /** Whether pods are counted as ranks: no pod holds lines of a rank with another number. */
  readonly podsAreRanks: boolean;
  /** What the first container is counted as, where the lines of several are mixed; null when they are not. */
  readonly firstContainer: number | null;
  /** The mark of a launcher that also stands within lines: a progress bar leaves its line open, and another rank writes on. */
  readonly glued: string | null;
  /** How the program itself says it, where its lines taught this. */
  readonly own: readonly RankMark[];
}

export function marksOf(head: string): Marks {
  const containers = [...head.matchAll(/^[\w.-]+-(\d{1,5}) {1,8}\| /gm)].map(([, digits]) => Number(digits));
  const first = Math.min(...containers);
  return {
    labelled: isLabelled(head),
    firstLocal: firstLocalOf(head),
    firstWorker: /^\[pod\/[\w.-]*?-master-0\//m.test(head) ? 1 : 0,
    podsAreRanks: !podsHoldOthers(head),
    firstContainer: first <= 1 && new Set(containers).size > 1 ? first : null,
    glued: gluedIn(head),
    own: rankMarksOf(head),
  };
}

function gluedIn(head: string): string | null {
  const role = /^(\[[A-Za-z]\w{0,30}?)\d{1,5}\]:/m.exec(head)?.[1];
  if (role === undefined) return null;
  return new RegExp(`[^\\n]\\${role}\\d{1,5}\\]:`).test(head) ? role : null;
}

function podsHoldOthers(head: string): boolean {
  const both = /^\[pod\/\S*?-(\d{1,4})(?:-[a-z0-9]{5})?\/\S+\] .{0,60}?\brank[ :=_]{0,2}(\d{1,5})\b/gim;
  return [...head.matchAll(both)].some(([, pod, rank]) => Number(pod) !== Number(rank));
}

/** "[default3]:… r27 step 40": what the lines of all workers agree on. */
function firstLocalOf(head: string): number | null {
  const both =
    /^(?:\S+Z (?:std\w{3} F )?)?\[[A-Za-z]+(\d{1,5})\]:.{0,80}?\b(?:global_|world_)?r(?:ank)?[ :=_]{0,2}(\d{1,5})\b/gim;
  const pairs = [...head.matchAll(both)].map(([, local, rank]) => [Number(local), Number(rank)] as const);
  const [shift, ...more] = new Set(pairs.map(([local, rank]) => rank - local));
  // A bracket behind the bracket is the library's own word; a number in the text is one when several agree.
  const isCertain = /^(?:\S+Z (?:std\w{3} F )?)?\[[A-Za-z]+\d{1,5}\]:\[rank\d/m.test(head);
  const isTold = more.length === 0 && (isCertain || new Set(pairs.map(([local]) => local)).size > 1);
  return isTold && shift !== undefined && shift > 0 ? shift : pairs.length > 0 ? 0 : firstOfNode(head);
}

const nodeOf =
  /\b(?:node|group|machine)[-_ ]?rank["']?[\s:=]{1,3}(\d{1,5})\b|\bSLURM_NODEID[\s:=]{1,3}(\d{1,5})\b/gi;
const workersOf =
  /\b(?:nproc[-_]per[-_]node|local[-_ ]world[-_ ]size|gpus[-_ ]per[-_ ]node|num_processes_per_(?:node|machine))["']?[\s:=]{1,3}(\d{1,3})\b/gi;

/** The first rank of a host, as its launcher says, or as the number of the host and of its workers say. */
function firstOfNode(head: string): number | null {
  const only = (pattern: RegExp): number | null => {
    const told = new Set([...head.matchAll(pattern)].map((found) => Number(found[1] ?? found[2])));
    return told.size === 1 ? [...told][0]! : null;
  };
  const told = only(/\bglobal_ranks=\[(\d{1,5})\b/g);
  const [node, workers] = [only(nodeOf), only(workersOf)];
  return told ?? (node !== null && workers !== null ? node * workers : shiftOf(head));
}

/** Whether the lines of a log carry the number of their task, as `srun --label` writes them: few numbers, or one, again and again. */
export function isLabelled(head: string): boolean {
  const lines = head.split('\n', 400).filter((line) => line.trim() !== '');
  const numbers = lines.flatMap((line) => labelled.exec(withoutStamp(line))?.slice(1).filter(Boolean) ?? []);
  const distinct = new Set(numbers).size;
  return (
    numbers.length >= 6 &&
    numbers.length >= lines.length / 2 &&
    distinct <= numbers.length / 2 &&
    (distinct >= 2 || numbers.length === lines.length)
  );
}

/** Behind a date and a level: "[RANK:3]", "[rank 3/8]", "[node7 rank3]"; or a field of an object or of a line of fields ("level=INFO rank=3"). */
const tag =
  /\[(?:[\w.-]{1,60}[ :|/,]{1,2})?rank[ :=]{0,2}(\d{1,5})(?:[/@ ][\w.-]{1,60})?\]|^(?:[^{}]{0,80} )?\{[^{}]*?"(?:global_|world_)?rank": ?(\d{1,5})\b|^rank[ =](\d{1,5})(?= (?:epoch|step|iter\w*|batch|loss|finished|restored)\b)|^\w+=.{0,80}?\b(?:level|lvl|severity)=\w+ .{0,80}?\b(?:global_)?rank=(\d{1,5})\b/i;

/** How a process tells which rank it is when it starts: "rank 3 of 8", "rank 3/8 up", "GLOBAL_RANK: 3". */
const introduction =
  /\b(?:global_?)?rank[ :=]{1,2}(\d{1,5})(?: of |\/)(\d{1,5})\b|\bGLOBAL_RANK: (\d{1,5})\b/gi;

/** How many ranks there are, as processes say when they start; null when they do not say, or not the same. */
export function introducedSize(head: string): number | null {
  const sizes = new Set<number>();
  for (const [, rank, size] of head.matchAll(introduction))
    if (size !== undefined && Number(rank) < Number(size)) sizes.add(Number(size));
  const [one, ...more] = sizes;
  return one !== undefined && one > 1 && more.length === 0 ? one : null;
}

/** The only rank that the lines of a file tell of, where the file is numbered by it: "log_3.txt", "trainer-worker-3.log". */
export function rankOfNumbered(path: string, head: string): number | null {
  const numbers = [...path.slice(path.lastIndexOf('/') + 1).matchAll(/\d+/g)].map(([digits]) =>
    Number(digits),
  );
  const told = new Set<number>();
  for (const line of head.split('\n', 400)) {
    const { rank } = stripPrefixes(line.slice(0, 300));
    if (rank !== null) told.add(rank);
    for (const found of line.slice(0, 300).matchAll(introduction)) told.add(Number(found[1] ?? found[3]));
  }
  const [one, ...more] = told;
  const own = one === undefined ? onlyMarkOf(head) : more.length === 0 ? one : null;
  return own !== null && numbers.includes(own) ? own : null;
}

export function stripPrefixes(text: string, marks: Marks | null = null): BareLine {
  let rest = marks?.labelled ? withoutStamp(text) : text;
  let rank: number | null = null;
  let process: BareLine['process'];
  const label = marks?.labelled ? labelled.exec(rest) : null;
  if (label) {
    rank = Number(label[1] ?? label[2]);
    rest = rest.slice(label[0].length);
  }
  for (let round = 0; round < 3; round++) {
    const before = rest;
    for (const prefix of prefixes) {
      const match = prefix.exec(rest);
      if (match === null) continue;
      const { rank: own, local, worker, pod, container, pid, ip } = match.groups ?? {};
      if (pid !== undefined) process = { pid: Number(pid), host: ip ?? null };
      if (own !== undefined) rank = Number(own);
      else if (local !== undefined) rank = Number(local) + (marks?.firstLocal ?? 0);
      else if (worker !== undefined) rank ??= Number(worker) + (marks?.firstWorker ?? 0);
      else if (pod !== undefined && marks?.podsAreRanks) rank ??= Number(pod);
      else if (container !== undefined && marks !== null && marks.firstContainer !== null)
        rank ??= Number(container) - marks.firstContainer;
      rest = rest.slice(match[0].length);
    }
    if (rest === before) break;
  }
  const own = rank === null && marks !== null ? (markIn(marks.own, rest) ?? markIn(marks.own, text)) : null;
  if (own) return own;
  const tagged = rank === null ? tag.exec(rest.slice(0, 200)) : null;
  const told = tagged ? Number(tagged.slice(1).find((digits) => digits !== undefined)) : rank;
  return { text: rest, rank: told, ...(process && { process }) };
}

/** How far into a line its rank may stand. */
const longestHead = 160;

/** The rank before a metric line, straight from bytes; null unless the line has one of the usual marks. */
export function rankOfBytes(
  bytes: Buffer,
  start: number,
  end: number,
  marks: Marks,
  ofProcess: (process: BareLine['process']) => number | null = () => null,
): number | null {
  const to = Math.min(end, start + longestHead);
  const isPlain = !marks.labelled && marks.firstContainer === null && marks.own.length === 0;
  if (isPlain && !mayHaveRank(bytes, start, to)) return null;
  const text = bytes.toString('latin1', start, to);
  const { rank, process } = stripPrefixes(text.trimStart(), marks);
  return rank ?? markIn(marks.own, text)?.rank ?? (process ? ofProcess(process) : null);
}

/** An object, a field, or a bracket with the first letter of a mark or with the pair of numbers that MPI writes. */
function mayHaveRank(bytes: Buffer, start: number, end: number): boolean {
  let first = start;
  while (first < end && bytes[first] === 0x20) first++;
  if (bytes.toString('latin1', first, first + 4) === 'rank') return true;
  if (bytes[first] === 0x28 && bytes.subarray(first, Math.min(end, first + 80)).includes('pid=')) return true;
  for (let at = first; at < end; at++) {
    if (bytes[at] === 0x7b && bytes[at + 1] === 0x22) return true;
    if (bytes[at] === 0x3d && bytes.toString('latin1', at - 5, at) === ' rank') return true;
    if (bytes[at] !== 0x5b) continue;
    const next = bytes[at + 1]! | 0x20;
    if (next === 0x72 || (next === 0x70 && bytes.toString('latin1', at + 2, at + 8) === 'rocess'))
      return true;
    if (bytes.subarray(at, Math.min(end, at + 72)).includes(' rank')) return true;
    if (at !== first) continue;
    const isPair =
      next >= 0x30 && next <= 0x39 && /^\[\d+(?:,|\]<std)/.test(bytes.toString('latin1', at, at + 12));
    if (next === 0x64 || next === 0x6c || next === 0x70 || isPair) return true;
  }
  return false;
}
