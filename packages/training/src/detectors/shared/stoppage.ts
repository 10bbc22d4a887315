// What the rank was doing that the others waited for: one cause for each kind of doing.
import type { Subcause } from '../../causes/table.js';
import type { RunView } from '../../features/view.js';
import { countsNone } from '../../ranks/differing/sentences.js';
import { saysItIsOver } from '../../ranks/differing/uneven.js';
import { standstillIn } from '../../ranks/dumps/standstill.js';
import { leftEarly } from '../../ranks/lost/left.js';
import { ownFrame } from '../../ranks/present/doing.js';
import { rankWord } from '../../ranks/present/rank-words.js';
import { factOfTrade } from '../../ranks/slow/slow.js';
import { tradeIn } from '../../ranks/slow/trade.js';
import { lastWordsOf, type Work, wentOnAlone } from '../../ranks/waiting/last-words.js';
import { allWait, type Stoppage, stoppageIn } from '../../ranks/waiting/stoppage.js';
import { readsData } from '../../record/phase-names.js';
import type { TextLine } from '../../record/run-record.js';
import type { Observation, RunEvidence } from '../define.js';
import { citeLine, citeWhere } from './cite.js';
import { citeWaiting, failedByItself } from './standstill.js';

/** Functions that only the first rank is usually sent into. */
const workOfOne =
  /eval|valid|test|metric|plot|report|upload|push|download|preprocess|tokeniz|generat|predict|log_/i;

/** The cause of a stoppage; null when nothing tells what the rank did. */
export function causeOfStoppage(view: RunView, stoppage: Stoppage): Subcause | null {
  const { stack, doing, operation } = stoppage;
  const [rank = null] = stoppage.ranks;
  const alone = stoppage.alone && rank !== null;
  if (alone && endedWell(view, rank) !== null) return 'uneven_batches';
  if (alone && leftEarly(view) === rank) return countsNone(view, rank) ? 'empty_data' : 'collective_mismatch';
  if (alone && holdsInterpreter(view, rank)) return 'stuck_rank';
  const trade = alone && stack === null ? tradeIn(view.record) : null;
  if (trade && trade.rank === rank && readsData(trade.slow.name)) return 'loader_stall';
  const words = alone && doing !== 'collective' ? lastWordsOf(view, rank) : null;
  if (words && stack === null) return causeOfWork(words.work, rank === 0);
  if (doing === 'loader') return 'loader_stall';
  if (doing === 'checkpoint') return 'slow_checkpoint';
  const isFirst = alone && rank === 0;
  if (words && isFirst) return causeOfWork(words.work, true);
  // It went on past what it left out, and met nobody any more.
  if (alone && stack === null && wentOnAlone(view) === rank) return 'collective_mismatch';
  const work = stack?.frames.slice(0, 6).some(({ function: name }) => workOfOne.test(name)) ?? false;
  if (isFirst && (operation === 'barrier' || (doing === 'own' && work))) return 'rank_zero_work';
  return doing === 'own' || doing === 'lock' ? 'stuck_rank' : null;
}

function causeOfWork(work: Work, isFirst: boolean): Subcause {
  if (work === 'own') return isFirst ? 'rank_zero_work' : 'stuck_rank';
  return ofWork[work];
}

const ofWork: Readonly<Record<Exclude<Work, 'own'>, Subcause>> = {
  loader: 'loader_stall',
  lock: 'stuck_rank',
  left: 'collective_mismatch',
  checkpoint: 'slow_checkpoint',
};

/** What was seen weighs more than what was left unsaid. */
const strengths: Readonly<Record<Stoppage['known'], number>> = {
  dumps: 0.92,
  counts: 0.85,
  stacks: 0.92,
  silence: 0.8,
  words: 0.75,
};

export function fromStoppage(view: RunView, subcause: Subcause): Observation[] {
  if (failedByItself(view)) return [];
  const stoppage = stoppageIn(view);
  if (stoppage === null || causeOfStoppage(view, stoppage) !== subcause) return [];
  const still = standstillIn(view.record);
  return [
    {
      strength: strengths[stoppage.known],
      evidence: [...citeStoppage(view, stoppage), ...(still ? citeWaiting(still) : [])],
    },
  ];
}

function citeStoppage(view: RunView, { ranks, stack, known }: Stoppage): RunEvidence[] {
  const [rank] = ranks;
  const line =
    rank === undefined
      ? null
      : (endedWell(view, rank) ?? (leftEarly(view) === rank ? lastLineOf(view, rank) : null));
  if (line) return [citeLine(line)];
  if (stack === null || known === 'words') {
    const words = rank === undefined ? null : lastWordsOf(view, rank);
    const trade = tradeIn(view.record);
    return [
      ...(words ? [citeLine(words.line)] : []),
      ...(trade && trade.rank === ranks[0]
        ? [citeWhere(factOfTrade(trade), trade.slow.series.where(0))]
        : []),
    ];
  }
  const inner = stack.frames[0];
  const own = ownFrame(stack) ?? inner;
  const place = own ? `${own.function} (${own.file}:${own.line})` : 'no frame';
  const within = inner && inner !== own ? `, in ${inner.function} (${inner.file}:${inner.line})` : '';
  return [
    citeWhere(
      `${rank === undefined ? 'a process' : rankWord(ranks)} ${ranks.length > 1 ? 'stand' : 'stands'} in ${place}${within}`,
      stack.at,
    ),
  ];
}

/** What was seen of the ranks shows that they waited for one of them, or all for each other: whoever ended the run had a reason. */
export function stoodStill(view: RunView): boolean {
  if (allWait(view.record)) return true;
  const stoppage = stoppageIn(view);
  if (stoppage === null || strengths[stoppage.known] <= strengths.silence) return false;
  return causeOfStoppage(view, stoppage) !== null;
}

/** The watchdog of the rank itself finds that something keeps the interpreter. */
function holdsInterpreter({ lines }: RunView, rank: number): boolean {
  return lines.some((line) => line.rank === rank && /Could not acquire GIL|GIL induced hang/.test(line.text));
}

/** What a rank that left without an error counted none of, else what it said last. */
function lastLineOf(view: RunView, rank: number): TextLine | null {
  return countsNone(view, rank) ?? view.lines.findLast((line) => line.rank === rank) ?? null;
}

/** The line in which the rank says that it is through. */
function endedWell({ lines }: RunView, rank: number) {
  return lines.findLast((line) => line.rank === rank && saysItIsOver(line)) ?? null;
}
