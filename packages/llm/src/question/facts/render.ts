// The snapshot as compact text: one line for each object, the same bytes for the same state. What does not fit the budget
// is dropped from the least relevant end, and the text says so.
import type { Snapshot } from '@grus/kernel/snapshot';
import { estimateTokens } from '../tokens.js';
import { collectFacts } from './collect.js';
import { type Category, categories, type Fact } from './fact.js';

export interface FactOptions {
  readonly tokens: number;
  /** Categories to show. Default: all. */
  readonly categories?: readonly Category[];
}

export function renderFacts(
  snapshot: Snapshot,
  mentioned: ReadonlySet<string>,
  options: FactOptions,
): string {
  const shown = new Set(options.categories ?? categories);
  const facts = collectFacts(snapshot, mentioned).filter(({ category }) => shown.has(category));
  const { kept, dropped } = fit(facts, options.tokens);
  const bySubject = new Map<string, string[]>();
  for (const { subject, text } of kept) {
    const known = bySubject.get(subject);
    if (known) known.push(text);
    else bySubject.set(subject, [text]);
  }
  const lines = [...bySubject].map(([subject, texts]) => `${subject}: ${texts.join('; ')}`);
  if (dropped > 0) lines.push(`(${dropped} less relevant facts are left out for length)`);
  return lines.join('\n');
}

function fit(facts: readonly Fact[], tokens: number): { kept: Fact[]; dropped: number } {
  const order = facts.map((fact, index) => ({ fact, index }));
  order.sort((a, b) => a.fact.rank - b.fact.rank || a.index - b.index);
  const chosen = new Set<number>();
  const subjects = new Set<string>();
  let left = tokens;
  for (const { fact, index } of order) {
    const opening = subjects.has(fact.subject) ? '' : `${fact.subject}: \n`;
    const cost = estimateTokens(`${opening}${fact.text}; `);
    if (cost > left) continue;
    left -= cost;
    chosen.add(index);
    subjects.add(fact.subject);
  }
  const kept = facts.filter((_, index) => chosen.has(index));
  return { kept, dropped: facts.length - kept.length };
}
