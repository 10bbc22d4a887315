// Kinds of metrics that are told by how the words of a name go together, in whatever order.

import type { MetricName } from './metric-names.js';
import { averageWords, bases } from './metric-words.js';

const players = new Set(['actor', 'critic', 'policy', 'agent', 'rollout', 'env', 'episode']);

/** `actor/entropy`, `critic/score/mean`: what a player earns and how certain it is; undefined for everything else. */
export function ofPlayer(words: readonly string[]): MetricName | undefined {
  if (!players.has(words[0] ?? '')) return undefined;
  const rest = words
    .slice(1)
    .filter((word) => !averageWords.has(word))
    .join('_');
  const found = rest === 'score' ? 'reward' : bases[rest];
  return found === 'reward' || found === 'entropy' || found === 'kl' ? found : undefined;
}

const earned = /^(?:rewards?|returns?|rew)$/;
const howEarned =
  /^(?:\d+|total|sum|cum\w*|episod\w*|eps?|avg|average|mean|median|running|moving|smooth(?:ed)?|last|past|over|per|of|discounted|undiscounted|raw|learning|rollout|env|game|agent|extrinsic)$/;

/** What is earned in all, however it is counted and averaged; a bonus for what is new is meant to fall, and a spread or an extreme says little. */
export function isEarned(words: readonly string[]): boolean {
  return (
    words.filter((word) => earned.test(word)).length === 1 &&
    words.every((word) => earned.test(word) || howEarned.test(word))
  );
}

/** `success_rate`, `Win rate`, `AI_success_rate`: how often a player reaches its goal. */
export function isWon(words: readonly string[]): boolean {
  const [one, other] = words.slice(-2);
  return (
    (/^(?:success|win|winning|solve|solved)$/.test(one ?? '') && /^(?:rate|ratio)$/.test(other ?? '')) ||
    words.at(-1) === 'winrate'
  );
}

/** Averaged in whichever way. */
export function isF1(words: readonly string[]): boolean {
  return /^(?:f1|f1score|fscore)$/.test(words.filter((one) => !howAveraged.test(one)).join('_'));
}

const howAveraged = /^(?:score|micro|macro|weighted|overall|avg|average|mean)$/;

/** `L` and `vL`, as formulas have it; `tl` and `vl`; `held-out L`. */
export const lossLetter = /^(v?)L$|^(t|v)l$|^(\w+(?:[- ]\w+)?) L$/;

/** `|w|`, `||grad||`, `sum|W|`, `|g| layer3`, and of what the loss was derived by: `|dL/dh_1|`. */
const inBars = /^(?:sum|mean|avg)?\|{1,2}(?:(\w+)|d\w*\/d(\w+))\|{1,2}(?:[ _/.:]+([a-z][\w.]*))?$/i;

/** The words for a norm that is written in bars; null for every other name. */
export function normOf(name: string): string | null {
  const [, of, by, layer] = inBars.exec(name) ?? [];
  const norm = by !== undefined ? `grad norm ${by}` : of === undefined ? null : `${of} norm`;
  return norm && [norm, layer ?? []].flat().join(' ').toLowerCase();
}
