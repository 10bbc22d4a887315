// Checks on plots and on statistical models.
import { plots } from './cases/plots.js';
import { statistics } from './cases/statistics.js';
import { runFamilies } from './run-cases.js';

runFamilies({ plots, statistics });
