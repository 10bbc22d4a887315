// Functions of TensorFlow that give a tensor: of its shape only what is plain to see.
import type { Dim, Shape } from '../../reasoning/facts.js';
import type { CallTransfer, Transfers } from '../../reasoning/library.js';

const eager = 'tensorflow.EagerTensor';

const likeFirst: CallTransfer = (site, context) => {
  const fact = site.args.positional[0]?.fact;
  const shape: Shape | undefined =
    fact && 'shape' in fact && Array.isArray(fact.shape) ? (fact.shape as Dim[]) : undefined;
  return context.put({ kind: 'instance', class: eager, shape });
};

export const tensorflowTensors: Transfers = {
  functions: {
    'tensorflow.zeros_like': likeFirst,
    'tensorflow.ones_like': likeFirst,
    'tensorflow.constant': (_site, context) => context.put({ kind: 'instance', class: eager }),
  },
};
