// Checks on torch.
import { settings } from './cases/settings.js';
import { torch } from './cases/torch.js';
import { runCases } from './run-cases.js';

runCases('torch', [...torch, ...settings]);
