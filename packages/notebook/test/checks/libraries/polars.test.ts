// Polars: frames, lazy frames, series and expressions.
import { polars } from './cases/polars.js';
import { runCases } from './run-cases.js';

runCases('polars', polars);
