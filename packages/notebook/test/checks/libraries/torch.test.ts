// Checks on torch.
import { torch } from './cases/torch.js';
import { runCases } from './run-cases.js';

runCases('torch', torch);
