// What Grus knows of torch and torchvision.
import { planRefusal } from '../../reasoning/inquiry/planning.js';
import type { LibraryModel } from '../../reasoning/library.js';
import { joining } from '../numpy/joins.js';
import { torchDatasets } from './datasets.js';
import { torchFunctions } from './functions.js';
import { hooks } from './hooks.js';
import { kinds } from './kinds.js';
import { torchLayers } from './layers.js';
import { live, liveInstance } from './live.js';
import { torchName } from './names.js';
import { torchTensorFunctions, torchTensors } from './tensors.js';

/** Makers of tensors out of other data, which refuse texts, frames and rows of unequal length. */
const makers = /^torch\.(tensor|as_tensor|from_numpy|Tensor|(Float|Double|Long|Int|Bool)Tensor)$/;

export const library: LibraryModel = {
  name: 'torch',
  kinds,
  transfers: [
    torchTensors,
    torchTensorFunctions,
    torchFunctions,
    joining('torch', 'tensor'),
    torchLayers,
    torchDatasets,
  ],
  live,
  liveInstance,
  hooks,
  publicName: torchName,
  questions: {
    kinds: {
      tensor: { byForm: true, changes: () => 'made-of-it' },
      'torch-module': { byForm: true },
      loader: { byForm: true },
    },
    planCall({ target, args }, callee, _context, exact) {
      if (target === null || !makers.test(target)) return undefined;
      const fact = args.positional[0]?.fact;
      const isPlain =
        !fact ||
        ['list', 'tuple', 'scalar', 'tensor', 'none'].includes(fact.kind) ||
        (fact.kind === 'ndarray' && /^(u?int|float|bool|complex)/.test(fact.dtype ?? ''));
      return isPlain ? null : planRefusal(exact, exact.named(callee.fact), args);
    },
  },
  manners: {
    keepingArguments: ['torch', 'torchvision', 'torchsummary', 'torchinfo'],
    writingNoFiles: ['torch'],
    lettingThrough: ['torch'],
    plainBases: /^torch\.(nn|utils\.data)\./,
    transparent: ['torch.no_grad', 'torch.inference_mode'],
    // A handle takes a hook away, which torch may have called for every module.
    changesSettings: ({ target, receiver }) =>
      /^torch\.(\w+\.)*(set_(grad_enabled|default_\w+)|register_\w+)$/.test(target ?? '') ||
      receiver?.fact.class === 'torch.utils.hooks.RemovableHandle',
  },
};
