// Functions of torch that make or join tensors as NumPy does arrays.
import type { Transfers } from '../../reasoning/library.js';
import { arange, concatenate, dot, filled, fromData, pureUnknown, stack } from '../numpy/functions.js';

export const torchFunctions: Transfers = {
  functions: {
    'torch.tensor': fromData('tensor'),
    'torch.from_numpy': fromData('tensor'),
    'torch.zeros': filled('tensor', true),
    'torch.ones': filled('tensor', true),
    'torch.randn': filled('tensor', true),
    'torch.rand': filled('tensor', true),
    'torch.empty': filled('tensor', true),
    'torch.arange': arange('tensor'),
    'torch.cat': concatenate('tensor'),
    'torch.concat': concatenate('tensor'),
    'torch.stack': stack('tensor'),
    'torch.matmul': dot('tensor'),
    'torch.mm': dot('tensor'),
    'torch.manual_seed': pureUnknown,
  },
};
