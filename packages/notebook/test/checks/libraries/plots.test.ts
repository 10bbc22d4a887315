// Checks on plots and on statistical models.
import { plots } from './cases/plots.js';
import { statistics } from './cases/statistics.js';
import { runCases } from './run-cases.js';

runCases('plots', plots);
runCases('statistics', statistics);
