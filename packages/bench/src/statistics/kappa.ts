// Cohen's kappa: agreement of two raters beyond what their label frequencies alone would give.

/** Null without ratings, or when both raters only ever used one and the same label. */
export function cohenKappa(pairs: readonly (readonly [string, string])[]): number | null {
  if (pairs.length === 0) return null;
  const first = new Map<string, number>();
  const second = new Map<string, number>();
  let agreed = 0;
  for (const [a, b] of pairs) {
    first.set(a, (first.get(a) ?? 0) + 1);
    second.set(b, (second.get(b) ?? 0) + 1);
    if (a === b) agreed++;
  }
  const n = pairs.length;
  let chance = 0;
  for (const [label, count] of first) chance += (count / n) * ((second.get(label) ?? 0) / n);
  return chance === 1 ? null : (agreed / n - chance) / (1 - chance);
}
