// What the rank that the others waited for said last: "evaluating", "saving checkpoint", "no batch for 60 s". Where it says no more, and
// every rank that complains waited for somebody, this is what it did meanwhile.
import type { RunView } from '../../features/view.js';
import type { RunRecord, TextLine, Where } from '../../record/run-record.js';
import { differing, isConsequence } from '../lost/consequence.js';
import { ascending, ranksUpTo, sizeOf, speakingIn } from '../present/presence.js';

/** `left`: it went away by itself, or left out what the others did. `lock`: it waits for something that nobody gives back. */
export type Work = 'loader' | 'lock' | 'left' | 'checkpoint' | 'own';

export interface LastWords {
  readonly line: TextLine;
  readonly work: Work;
}

const data = '(?:data ?loader|loader|data ?set|shards?|batch(?:es)?|samples?|records?|prefetch\\w*|workers?)';

/** Something that all others do was left out: a step, a batch, the meeting itself. */
export const leavesOut =
  /\bskip(?:s|ped|ping)?\b|\b(?:return|continu)(?:s|ed|ing|e)?\b.{0,20}\b(?:early|without)\b/i;

const leaves =
  /\b(?:stopping|exiting|leaving|quitting|returning|early[ -]stop\w*|stopped early|terminating)\b(?! (?:other|all|the others))/i;

/** Ranks that say anywhere that they leave; ascending. */
export function leavingIn({ lines }: RunView): number[] {
  const ranks = lines.flatMap(({ rank, text }) => (rank !== null && leaves.test(text) ? rank : []));
  return [...new Set(ranks)].sort(ascending);
}

/** Begun, not done: "saved checkpoint" or "evaluation finished" is no work that lasts. The first row that a line meets counts. */
const signs: readonly (readonly [Work, RegExp])[] = [
  ['lock', /\bwait(?:ing|s)? (?:for|on|to)\b.{0,120}\b(?:lock(?: ?file)?|mutex|semaphore)\b/i],
  [
    'loader',
    new RegExp(
      `\\b${data}\\b.{0,60}\\b(?:no (?:${data}|data)|empty|stall\\w*|stuck|not respond\\w*|filtered|retry\\w*)\\b|\\b(?:no|wait(?:ing|s)? for(?: the| an?| its| more| another)?(?: next)?) (?:${data}|data)\\b|\\b(?:reading|fetching|downloading|opening|decoding) .{0,20}${data}\\b`,
      'i',
    ),
  ],
  // "GET shard.00412: no bytes for 60 s, attempt 2/4"
  [
    'loader',
    /(?:\b(?:data ?set|loader|shards?|GET|s3|gs|blob|bucket)\b|_dataset\b).{0,160}\b(?:no bytes|attempt \d|retry\w*|time[d]? ?out)/i,
  ],
  ['left', leaves],
  ['left', leavesOut],
  ['checkpoint', /\b(?:saving|writing|dumping|uploading)\b|\b(?:checkpoint|ckpt)\b.{0,80}\bwritten\b/i],
  [
    'loader',
    /\b(?:open|read|fetch|download|decod)(?:ing|s)? .{0,80}\.(?:bin|idx|tar|parquet|arrow|tfrecords?|jsonl|npy|h5|zst|gz|rec|lmdb)\b/i,
  ],
  [
    'checkpoint',
    /\b(?:upload|sav|writ|dump|flush)\w*\b.{0,40}\b\d+(?:\.\d+)? ?(?:\/|of) ?\d+(?:\.\d+)? ?[KMGT]i?B\b/i,
  ],
  // "eval 27/1000": how far it is.
  [
    'own',
    /\b(?:eval|valid|test|generat|predict|preprocess|tokeniz|index|convert|comput)\w*\b.{0,30}\b\d+ ?(?:\/|of) ?\d+/i,
  ],
  // "sample generation started: 512 prompts"
  [
    'own',
    /\b(?!(?:train|initiali[sz]at|warm|log|profil|monitor)\w*)[a-z]{3,}(?:ion|ing) (?:has |was )?(?:started|begun|begins|starts)\b/i,
  ],
  // "starting full evaluation", "running held-out scoring"
  [
    'own',
    /\b(?:start(?:s|ed|ing)?|beg(?:a|i)n(?:s|ning)?|enter(?:s|ed|ing)?|running|launch(?:ed|ing))(?: [\w-]+){0,3}? (?!(?:train|initiali[sz]at|warm|log|profil|monitor|iterat)\w*)[a-z]{3,}(?:ation|ing)\b/i,
  ],
  // "evaluating ...", "INFO - main - building index of 41 files": what is told begins with it. To wait or to begin is no work.
  [
    'own',
    /^(?:.{0,160}?(?:[\]:|"=>)]|\s-|\b(?:INFO|DEBUG|WARNING))\s*)?\W*(?!(?:train|start|wait|join|init\w*|resum|us|sett|load|do|be|noth|str)ing\b)[a-z]{2,}ing\b(?!\.| (?:finished|done|completed?)\b)/i,
  ],
];

/** "beam search decoding 550/820", "  200/900 documents", "wrote shard 2/4 (18 s)": within something that is counted, and that is not the training. */
const counted =
  /^(?!.*\b(?:steps?|iter\w*|epochs?|batch(?:es)?|loss|train\w*|attempt|retry\w*|try|ranks?|nodes?|world)\b).*?(?<![\w.:/-])(\d{1,9}) ?(?:\/|of) ?(\d{1,9})(?![\w.:/-])/i;
const writes = /\b(?:wr[io]t|sav|upload|dump|flush)\w*/i;

function countedIn(text: string): Work | null {
  const [, done, all] = counted.exec(text) ?? [];
  if (Number(done) < Number(all)) return writes.test(text) ? 'checkpoint' : 'own';
  return null;
}

/** Of a stack, of the library that waits, or of the launcher. */
const ofLibrary =
  /^\s*File "|^(?:Current )?[Tt]hread 0x|^Timeout \(\d|^\[?[EWI]\d{3,4} [\d:.]+ [^\]]*\.(?:cpp|py):\d+\]/;

/** It is done, it waits, or it is a step like all others. */
const saysNoWork =
  /\b(?:done|finish\w*|complet\w*|saved|written|wrote|loaded|ready|start\w*|init\w*|resum\w*|wait\w*|join\w*|barrier|sync\w*|took|elapsed|epoch|step|iter\w*|loss|warn\w*|error|signal|exit\w*|abort\w*|NCCL|gloo|version|using|config\w*)\b/i;

/** Ranks say the same sentence with numbers of their own. */
function unnumbered(text: string): string {
  return text.replace(/\d+/g, '#');
}

const begun = /^\s*Traceback \(most recent call last\)/;

/** The line of an error that was printed without its traceback. */
function isOf(failures: RunView['failures'], { at }: TextLine): boolean {
  return failures.some(
    ({ frames, at: { file, line } }) => frames.length === 0 && at.file === file && at.line === line,
  );
}

/** What names no rank is of the first: all others name theirs, or have complained, each without a name. */
function isOnlyNameless(record: RunRecord, failures: RunView['failures']): boolean {
  const speaking = speakingIn(record);
  const others = sizeOf(record) - 1;
  const nameless = failures.filter(({ rank }) => rank === null).reduce((sum, { count }) => sum + count, 0);
  if (nameless > 0) return speaking.size === 0 && nameless === others;
  return !speaking.has(0) && ranksUpTo(sizeOf(record)).every((rank) => rank === 0 || speaking.has(rank));
}

/** Behind the first complaint in its file, or behind what a launcher tells of an end, a line without a rank may be anybody's. */
function isBehindEnd({ record, failures, lines }: RunView, { at }: TextLine): boolean {
  const isBefore = (other: Where): boolean => other.file === at.file && (other.line ?? 0) <= (at.line ?? 0);
  return (
    record.exits.some((exit) => isBefore(exit.at)) ||
    record.device.some(({ kind, at: told }) => kind === 'collective_timeout' && isBefore(told)) ||
    lines.some((entry) => (begun.test(entry.text) || isOf(failures, entry)) && isBefore(entry.at))
  );
}

/** The last line of a rank; of two files the one that their times tell, or that names some work. */
function lastOf(said: readonly TextLine[]): TextLine | undefined {
  const last = [...new Map(said.map((line) => [line.at.file, line])).values()];
  const isTimed = last.every(({ time }) => time !== null);
  return isTimed
    ? last.reduce<TextLine | undefined>(
        (late, line) => (late && late.time! > line.time! ? late : line),
        undefined,
      )
    : (last.find(({ text }) => workIn(text) !== null) ?? last.at(-1));
}

function workIn(text: string): Work | null {
  return signs.find(([, pattern]) => pattern.test(text))?.[0] ?? countedIn(text);
}

/** Null unless the rank has no error of its own, and its last line names work that it began and that no other rank names. */
export function lastWordsOf(view: RunView, rank: number): LastWords | null {
  const { record, failures, lines } = view;
  const waited =
    failures.some(isConsequence) || record.device.some(({ kind }) => kind === 'collective_timeout');
  const own = failures.filter((failure) => failure.rank === rank);
  if (!waited || !own.every(isConsequence)) return null;
  // What it said before it found the others gone.
  const until =
    own.length === 0
      ? null
      : lines.find((entry) => entry.rank === rank && (begun.test(entry.text) || isOf(own, entry)));
  // What it writes to another file than its error stands there before it.
  const isBefore = ({ at, rank: of }: TextLine): boolean =>
    until == null || (at.file === until.at.file ? at.line! < until.at.line! : of === rank);
  const isSaid = (entry: TextLine): boolean =>
    isBefore(entry) && entry.text.trim() !== '' && !ofLibrary.test(entry.text);
  if (own.length > 0 && until === undefined) return null;
  const last = lastOf(lines.filter((entry) => entry.rank === rank && isSaid(entry)));
  // Loggers of the first rank alone name no rank: their last line counts where it came to the others' end.
  const line =
    last ??
    (rank === 0 && (until || isOnlyNameless(record, failures))
      ? lines.findLast(
          (entry) => entry.rank === null && isSaid(entry) && (until !== null || !isBehindEnd(view, entry)),
        )
      : undefined);
  if (line === undefined || line.text.length > 300) return null;
  const isPoint = record.series.some((series) => {
    const at = series.length > 0 ? series.where(series.length - 1) : null;
    return at?.file === line.at.file && at.line === line.at.line;
  });
  // What only the first rank said, and did not call done, is work that only the first rank does.
  const isSilent = own.length === 0 && record.lastStep !== null;
  const mayBeOwn =
    rank === 0 && isSilent && !isPoint && /[a-z]{3}/i.test(line.text) && !saysNoWork.test(line.text);
  const work = workIn(line.text) ?? (mayBeOwn ? 'own' : null);
  // Numbers that came after it, or another rank with the same words, are no work of this rank alone.
  const wentOn = record.series.some((series) => {
    const last = series.rank === rank && series.length > 0 ? series.where(series.length - 1) : null;
    return last !== null && last.file === line.at.file && (last.line ?? 0) > (line.at.line ?? 0);
  });
  const alike = lines.some(
    (entry) => entry.rank !== null && entry.rank !== rank && unnumbered(entry.text) === unnumbered(line.text),
  );
  return work === null || wentOn || alike ? null : { line, work };
}

/** The only rank that tells of an error of its own, or of something that it left out, and went on: it did not do what the others did meanwhile. */
export function wentOnAlone({ lines, failures }: RunView): number | null {
  const ranks = new Set<number>();
  for (const { rank, text } of lines) {
    if (rank === null || text.length > 4000 || differing.test(text)) continue;
    const found = /\b([A-Z]\w*(?:Error|Exception)): (.+)$/.exec(text.slice(0, 400));
    // What ended a rank, or tells of the difference itself, was no error that it went on after.
    const isFatal = failures.some(({ message }) => message.startsWith(found?.[2]?.slice(0, 60) ?? text));
    const isOwn = found
      ? !isConsequence({ type: found[1]!, message: found[2]!, frames: [] })
      : leavesOut.test(text);
    if (isOwn && !isFatal) ranks.add(rank);
  }
  const [one, ...more] = ranks;
  return one !== undefined && more.length === 0 ? one : null;
}
