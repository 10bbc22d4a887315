// What the detectors of runs with several ranks share: who waits for whom, in words, and whether a rank failed by itself.
import type { RunView } from '../../features/view.js';
import type { Standstill } from '../../ranks/dumps/standstill.js';
import { isConsequence } from '../../ranks/lost/consequence.js';
import { rankWord } from '../../ranks/present/rank-words.js';
import type { RunEvidence } from '../define.js';

export function failedByItself(view: RunView): boolean {
  return view.failures.some((failure) => !isConsequence(failure));
}

export function citeWaiting(still: Standstill): RunEvidence[] {
  const root = new Set(still.first);
  return still.groups
    .filter(({ behind }) => behind.some((rank) => root.has(rank)))
    .slice(0, 3)
    .map(({ name, operation, sequence, waiting, behind }) => ({
      fact: `${rankWord(waiting)} ${waiting.length === 1 ? 'is' : 'are'} in ${operation} ${sequence} of group ${name}, which ${rankWord(behind)} did not call`,
      file: still.dumps.find(({ rank }) => rank === waiting[0])?.file ?? '',
    }));
}
