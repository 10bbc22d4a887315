// How much of code and live objects may leave the machine.

export const redactionLevels = ['shapes', 'statistics', 'values'] as const;

/**
 * `shapes`: the structure of the code, what exists, classes, dtypes, shapes, labels made of words, signatures. `statistics`:
 * also rounded ranges, counts and whether there are NaNs. `values`: also literals, examples and small values, but none that
 * looks like a secret or lies under a name that speaks of one. See docs/privacy.md for what each level promises.
 */
export type RedactionLevel = (typeof redactionLevels)[number];
