// The statistics that every benchmark reports.
export { type BootstrapOptions, bootstrapInterval } from './bootstrap.js';
export { type Confusion, confusionOf, type Measures, measuresOf, ratio } from './confusion.js';
export { cohenKappa } from './kappa.js';
export { type McNemar, mcnemarExact } from './mcnemar.js';
export { quantile } from './quantile.js';
export { type Interval, wilsonInterval } from './wilson.js';
