// What makes a run of several ranks slow: one rank in its own work, one that waits for its data, or a link. One rule: of the ways to know it
// the first that tells anything decides, the times of every step before what was written once, and that before what the run says in words.
import { once } from '../../features/once.js';
import type { RunView } from '../../features/view.js';
import { figure } from '../../record/figures.js';
import { readsData } from '../../record/phase-names.js';
import type { Where } from '../../record/run-record.js';
import { rankWord } from '../present/rank-words.js';
import { heldDownIn } from './held-down.js';
import { outlierIn } from './profile.js';
import { slowLinkIn } from './slow-link.js';
import { slowestIn, toldSlowest } from './slowest.js';
import { type Trade, tradeIn } from './trade.js';

export interface Slow {
  readonly of: 'work' | 'data' | 'link';
  /** Ascending; of one host where they are several, and empty where all are slow alike. */
  readonly ranks: readonly number[];
  readonly fact: string;
  readonly at: Where;
  readonly step: number | null;
  readonly strength: number;
  /** How many times longer than for the others its part of a step lasts; 1 where that is not known. */
  readonly times: number;
}

export const slowIn = once((view: RunView): Slow | null => inSteps(view) ?? inTable(view) ?? inWords(view));

function inSteps(view: RunView): Slow | null {
  const slowest = slowestIn(view);
  if (slowest) {
    const { rank, own, others, of, curve } = slowest;
    const isData = of === 'data_time';
    const first = curve.finite[0]!;
    return {
      of: isData ? 'data' : 'work',
      ranks: [rank],
      fact: `rank ${rank} takes ${figure(own)} s ${isData ? 'before each forward pass' : 'a step'}, the others ${figure(others)} s`,
      at: curve.where(first),
      step: curve.steps[first]!,
      strength: own >= 2 * others ? 0.88 : 0.82,
      times: own / others,
    };
  }
  const trade = tradeIn(view.record);
  if (trade === null) return null;
  const { slow, waiting, rank } = trade;
  return {
    of: readsData(slow.name) ? 'data' : 'work',
    ranks: [rank],
    fact: factOfTrade(trade),
    at: slow.series.where(0),
    step: slow.series.steps[0]!,
    strength: 0.86,
    times: waiting.others < slow.others ? 1 : slow.own / slow.others,
  };
}

export function factOfTrade({ rank, slow, waiting }: Trade): string {
  return `rank ${rank} takes ${figure(slow.own)} s a step for ${slow.name}, the others ${figure(slow.others)} s; they take ${figure(waiting.others)} s for ${waiting.name}, rank ${rank} ${figure(waiting.own)} s`;
}

function inTable({ record }: RunView): Slow | null {
  const outlier = outlierIn(record);
  if (outlier === null) return null;
  const { ranks, name, own, others, at, ofLink } = outlier;
  return {
    of: ofLink ? 'link' : readsData(name) ? 'data' : 'work',
    ranks,
    fact: `${rankWord(ranks)}: ${name} ${figure(own)}, the others ${figure(others)}`,
    at,
    step: null,
    strength: 0.86,
    times: 1,
  };
}

function inWords(view: RunView): Slow | null {
  const told = toldSlowest(view);
  const held = told ? null : heldDownIn(view);
  const said = told?.line ?? held?.message;
  if (said) {
    const ranks = [(told ?? held)!.rank];
    return {
      of: 'work',
      ranks,
      fact: said.text.trim(),
      at: said.at,
      step: said.step,
      strength: 0.84,
      times: 1,
    };
  }
  const link = slowLinkIn(view);
  return link && { of: 'link', ...link, strength: 0.86, times: 1 };
}
