// NumPy's public names leave out the modules in which its functions are written.
import type { Naming } from '../../reasoning/names.js';

const internals = new Set(
  'core lib fromnumeric numeric multiarray shape_base function_base umath matrixlib mtrand'.split(' '),
);

export const numpyName: Naming = (parts) =>
  parts[0] === 'numpy'
    ? parts
        .filter((part, index) => index === 0 || index === parts.length - 1 || !internals.has(part))
        .join('.')
    : undefined;
