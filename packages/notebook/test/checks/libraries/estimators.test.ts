// Checks on scikit-learn and the boosters that follow its conventions.
import { estimators } from './cases/estimators.js';
import { metrics } from './cases/metrics.js';
import { sizes } from './cases/sizes.js';
import { runCases } from './run-cases.js';

runCases('estimators', estimators);
runCases('metrics', metrics);
runCases('sizes against n', sizes);
