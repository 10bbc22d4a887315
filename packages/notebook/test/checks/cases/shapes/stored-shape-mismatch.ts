// shapes/stored-shape-mismatch: crashes, and healthy cells that differ by as little as possible. All of them are executed.
import type { CheckCase } from '../../libraries/cases/case.js';

const setup = `import numpy as np
batch = np.zeros((4, 8, 8, 3))
image = np.ones((8, 8))
row = np.zeros(5)
cells = np.empty(2, dtype=object)
`;

export const cases: readonly CheckCase[] = [
  {
    check: 'shapes/stored-shape-mismatch',
    setup,
    crash: 'for i in range(4):\n    batch[i] = image * i',
    raises: 'ValueError',
    line: 2,
    healthy: [
      'for i in range(4):\n    batch[i] = image[..., None] * i',
      'for i in range(4):\n    batch[i, :, :, 0] = image * i',
      'batch[..., 0] = image',
      'batch[0] = np.ones((1, 1, 8, 8, 3))',
      'batch[0] = np.ones(3)',
      'batch[0] = 1.5',
      'batch = np.zeros((4, 8, 8))\nbatch[0] = image',
      'image = np.ones((8, 8, 3))\nbatch[0] = image',
      'batch[0, 0, 0, 0] = np.ones((1, 1))[0, 0]',
      'batch[[0, 1]] = np.ones((2, 8, 8, 3))',
      'batch[batch > 0] = image[image > 5]',
      'cells[0] = image\ncells[1] = [1, 2, 3]',
      'try:\n    batch[0] = image\nexcept ValueError:\n    pass',
      'if batch.shape[1:] == image.shape:\n    batch[0] = image',
      'image.shape = (8, 8, 1)\nbatch[0] = image',
      'image.resize((8, 8, 1))\nbatch[0] = image',
      'def widen(a):\n    a.shape = (8, 8, 1)\nwiden(image)\nbatch[0] = image',
    ],
  },
  {
    check: 'shapes/stored-shape-mismatch',
    name: 'of a list',
    setup,
    crash: 'row[1:4] = [1, 2]',
    raises: 'ValueError',
    line: 1,
    healthy: [
      'row[1:3] = [1, 2]',
      'row[1:4] = [1]',
      'row[10:] = []',
      'row[-2:] = (1, 2)',
      'row[::2] = [1, 2, 3]',
      'values = [1, 2]\nvalues.append(3)\nrow[1:4] = values',
    ],
  },
];
