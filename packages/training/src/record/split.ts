// Which part of the data, or the machine, a series was measured on.
/** What the values were measured on. `train` when the source does not say. */
export type Split = 'train' | 'eval' | 'test' | 'system';
