// How much of a snapshot may leave the machine.

export const redactionLevels = ['shapes', 'statistics', 'values'] as const;

/**
 * `shapes`: what exists, classes, dtypes, shapes, labels and signatures. `statistics`: also ranges, counts and whether
 * there are NaNs. `values`: also examples and small literal values. Secrets are removed at every level.
 */
export type RedactionLevel = (typeof redactionLevels)[number];
