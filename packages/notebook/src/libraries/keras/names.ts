// Keras goes by one name, whether it comes as `keras`, `tf_keras` or a part of TensorFlow.
import { type Naming, tail } from '../../reasoning/names.js';

const homes = new Set(
  `layers models optimizers losses metrics callbacks utils preprocessing applications datasets initializers regularizers
  ops backend`.split(/\s+/),
);

/** Classes that Keras has both at the top and in a home. */
const twice = new Set(['Sequential', 'Model']);

export const kerasName: Naming = (parts) => {
  const isKeras =
    parts[0] === 'keras' || parts[0] === 'tf_keras' || (parts[0] === 'tensorflow' && parts.includes('keras'));
  if (!isKeras) return parts[0] === 'tensorflow' ? `tensorflow.${parts[1]}.${tail(parts, 2)}` : undefined;
  const home = parts.find((part) => homes.has(part));
  if (home === 'models' && twice.has(parts.at(-1)!)) return `keras.${parts.at(-1)}`;
  return home ? `keras.${home}.${parts.at(-1)}` : `keras.${tail(parts, 1)}`;
};
