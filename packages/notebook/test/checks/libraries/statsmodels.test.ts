// Cells that statsmodels refuses.
import { statsmodels } from './cases/statsmodels.js';
import { runCases } from './run-cases.js';

runCases('statsmodels', statsmodels);
