// How far each rank came, by whatever it counts: the steps of its curves or lines, and the turns that its watchdog names. Where nobody failed
// by itself, the one that is behind all others is whom they wait for.
import type { RunView } from '../../features/view.js';
import { oddOne } from '../differing/odd-one.js';
import { presentIn } from '../present/presence.js';

const fewestRanks = 3;
const launched = /\blast enqueued(?: NCCL)? work: ?(\d+)/i;
const stepped =
  /(?:^|[^a-z])(?:(?:global_?|train_?)?step|iter(?:ation)?|batch|update)s?[ :=#]{0,3}(\d{1,9})\b(?!\.\d)/i;

/** The only rank that came less far than all others, which came equally far; null where any rank does not count. */
export function behindOthers(view: RunView): number | null {
  for (const counts of [turnsIn(view), stepsIn(view)]) {
    const odd = presentIn(view.record).every((rank) => counts.has(rank)) ? oddOne(counts) : null;
    if (odd !== null && counts.size >= fewestRanks && odd.word < odd.others) return odd.rank;
  }
  return null;
}

/** Where ranks are said to differ: the only one that left out a step that it went past, or that came less far or farther than all others. */
export function outOfStep(view: RunView): number | null {
  const all = new Map<number, Set<number>>();
  for (const { rank, hasSteps, steps } of view.record.series) {
    if (rank === null || !hasSteps) continue;
    // Who does not count as it goes is no measure.
    if (steps.some((step, at) => at > 0 && step <= steps[at - 1]!)) return null;
    const here = all.get(rank) ?? new Set();
    all.set(rank, here);
    for (const step of steps) here.add(step);
  }
  if (all.size < fewestRanks) return null;
  const lacking = new Set<number>();
  for (const step of new Set([...all.values()].flatMap((steps) => [...steps]))) {
    const without = [...all].filter(([, steps]) => !steps.has(step));
    if (without.length === 1 && [...without[0]![1]].some((other) => other > step))
      lacking.add(without[0]![0]);
  }
  if (lacking.size > 0) return lacking.size === 1 ? [...lacking][0]! : null;
  return oddOne(new Map([...all].map(([rank, steps]) => [rank, Math.max(...steps)])))?.rank ?? null;
}

/** The turn of the last collective that each rank launched, as its watchdog says. */
function turnsIn({ record, lines }: RunView): Map<number, number> {
  const turns = new Map<number, number>();
  const see = (rank: number | null, turn: number | null): void => {
    if (rank !== null && turn !== null) turns.set(rank, Math.max(turns.get(rank) ?? 0, turn));
  };
  for (const message of record.device)
    if (message.kind === 'collective_timeout') see(message.rank, message.sequence);
  for (const { rank, text } of lines) see(rank, Number(launched.exec(text.slice(0, 2000))?.[1] ?? 0) || null);
  return turns;
}

function stepsIn({ record, lines }: RunView): Map<number, number> {
  const steps = new Map<number, number>();
  const see = (rank: number | null, step: number): void => {
    if (rank !== null) steps.set(rank, Math.max(steps.get(rank) ?? 0, step));
  };
  for (const { rank, hasSteps, steps: all } of record.series)
    if (rank !== null && hasSteps) for (const step of all) see(rank, step);
  for (const { rank, text } of lines) {
    const found = rank === null ? null : stepped.exec(text.slice(0, 300));
    if (found) see(rank, Number(found[1]));
  }
  return steps;
}
