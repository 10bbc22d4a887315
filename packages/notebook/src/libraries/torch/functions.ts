// Functions of torch that make tensors as NumPy does arrays.
import type { Transfers } from '../../reasoning/library.js';
import { filled, fromData } from '../numpy/functions.js';

export const torchFunctions: Transfers = {
  functions: {
    'torch.tensor': fromData('tensor'),
    'torch.from_numpy': fromData('tensor'),
    'torch.zeros': filled('tensor', true),
    'torch.ones': filled('tensor', true),
    'torch.randn': filled('tensor', true),
    'torch.rand': filled('tensor', true),
    'torch.empty': filled('tensor', true),
  },
};
