// All libraries whose behaviour the reasoning knows; the first that answers wins.

import type { Library } from '../reasoning/library.js';
import { kerasBuilding } from './keras/building.js';
import { kerasIterators } from './keras/iterators.js';
import { kerasLayers } from './keras/layers.js';
import { kerasModels } from './keras/models.js';
import { tensorflowTensors } from './keras/tensors.js';
import { matplotlib } from './matplotlib/index.js';
import { arrays } from './numpy/arrays.js';
import { numpyFunctions } from './numpy/functions.js';
import { pandas } from './pandas/index.js';
import { pillow } from './pillow/index.js';
import { builtins } from './python/builtins.js';
import { containers } from './python/containers.js';
import { iterators } from './python/iterators.js';
import { paths } from './python/paths.js';
import { scalars } from './python/scalars.js';
import { sklearn } from './sklearn/estimators.js';
import { torchDatasets } from './torch/datasets.js';
import { torchLayers } from './torch/layers.js';
import { torchTensors } from './torch/tensors.js';

export const libraries: readonly Library[] = [
  scalars,
  containers,
  iterators,
  builtins,
  paths,
  ...pandas,
  torchTensors,
  torchLayers,
  arrays,
  numpyFunctions,
  matplotlib,
  kerasIterators,
  kerasModels,
  kerasBuilding,
  kerasLayers,
  tensorflowTensors,
  torchDatasets,
  sklearn,
  pillow,
];
