// What Grus knows of Keras and TensorFlow.
import type { LibraryModel } from '../../reasoning/library.js';
import { kerasBuilding } from './building.js';
import { kerasIterators } from './iterators.js';
import { kinds } from './kinds.js';
import { kerasLayers } from './layers.js';
import { live, liveInstance } from './live.js';
import { kerasModels } from './models.js';
import { kerasName } from './names.js';
import { successors } from './successors.js';
import { tensorflowTensors } from './tensors.js';

export const library: LibraryModel = {
  name: 'keras',
  successors,
  kinds,
  transfers: [kerasIterators, kerasModels, kerasBuilding, kerasLayers, tensorflowTensors],
  live,
  liveInstance,
  publicName: kerasName,
  manners: {
    keepingArguments: ['tensorflow', 'keras'],
    exports: ['to_categorical'],
    lettingThrough: ['tensorflow', 'keras'],
    plainBases: /^keras\./,
    changesSettings: ({ target }) =>
      target !== null && /^keras\.(\w+\.)*set_(floatx|\w*policy)$/.test(target),
  },
};
