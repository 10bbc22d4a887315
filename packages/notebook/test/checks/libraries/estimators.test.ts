// Checks on scikit-learn and the boosters that follow its conventions.
import { estimators } from './cases/estimators.js';
import { metrics } from './cases/metrics.js';
import { sizes } from './cases/sizes.js';
import { runFamilies } from './run-cases.js';

runFamilies({ estimators, metrics, 'sizes against n': sizes });
