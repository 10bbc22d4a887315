// Functions of TensorFlow that give a tensor: of its shape only what is plain to see.
import type { Dim, Shape } from '../../reasoning/facts.js';
import type { CallTransfer, Transfers } from '../../reasoning/library.js';

const eager = 'tensorflow.EagerTensor';

const likeFirst: CallTransfer = (site, context) => {
  const fact = site.args.positional[0]?.fact;
  const shape: Shape | undefined =
    fact && 'shape' in fact && Array.isArray(fact.shape) ? (fact.shape as Dim[]) : undefined;
  return context.put({ kind: 'instance', class: eager, ...(shape && { shape }) });
};

const ofShape: CallTransfer = (site, context) => {
  const [first] = site.args.positional;
  const sizes = first && context.literal(first.ref);
  const shape = Array.isArray(sizes)
    ? sizes.map((size): Dim => (typeof size === 'number' ? size : null))
    : undefined;
  return context.put({ kind: 'instance', class: eager, ...(shape && { shape }) });
};

const made = 'zeros ones random.normal random.uniform'.split(' ');
const alike = 'zeros_like ones_like identity abs exp square sqrt nn.relu nn.softmax nn.sigmoid'.split(' ');

export const tensorflowTensors: Transfers = {
  functions: {
    ...Object.fromEntries(made.map((name) => [`tensorflow.${name}`, ofShape])),
    ...Object.fromEntries(alike.map((name) => [`tensorflow.${name}`, likeFirst])),
    'tensorflow.constant': (_site, context) => context.put({ kind: 'instance', class: eager }),
  },
};
