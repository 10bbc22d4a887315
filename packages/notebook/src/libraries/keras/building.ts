// Keras models built in the walked code: Sequential from a list or layer by layer, and models between symbolic tensors.

import { argument } from '../../reasoning/arguments.js';
import type { Context } from '../../reasoning/context.js';
import type { Fact, Shape } from '../../reasoning/facts.js';
import type { CallSite, CallTransfer, Transfers } from '../../reasoning/library.js';
import { putNone } from '../../reasoning/plain-objects.js';
import type { KerasModel } from './kinds.js';
import { isSymbolic, type Look, layerOutput, parameter } from './layers.js';

interface Stack {
  readonly input: Shape | undefined;
  readonly output: Shape | undefined;
  /** What a layer says that cannot take what comes before it. */
  readonly refusal?: string;
}

/** Goes through the layers of a Sequential; without the shape of the input nothing is computed, as Keras does. */
export function stacked(look: Look, items: readonly Fact[]): Stack {
  const [first] = items;
  const input = first && inputShape(look, first);
  if (!input) return { input: undefined, output: undefined };
  let shape: Shape | undefined = input;
  for (const item of isSymbolic(first) ? items.slice(1) : items) {
    if (item.kind !== 'keras-layer' || !shape) return { input, output: undefined };
    const result = layerOutput(look, item, [shape]);
    if (result && 'refusal' in result) return { input, output: undefined, refusal: result.refusal };
    shape = result?.shape;
  }
  return { input, output: shape };
}

function inputShape(look: Look, first: Fact): Shape | undefined {
  if (isSymbolic(first)) return first.shape;
  if (first.kind !== 'keras-layer') return undefined;
  const shape = parameter(look, first, 'input_shape');
  const width = parameter(look, first, 'input_dim');
  if (Array.isArray(shape)) return [null, ...shape.map((dim) => (typeof dim === 'number' ? dim : null))];
  return typeof width === 'number' && !/Embedding$/.test(first.class ?? '') ? [null, width] : undefined;
}

/** The layers that a call of `Sequential` is given. */
export function sequentialItems(look: Look, site: Pick<CallSite, 'args'>): readonly Fact[] | undefined {
  const layers = argument(site, 0, 'layers');
  if (!layers) return site.args.complete ? [] : undefined;
  const { fact } = layers;
  return fact.kind === 'list' || fact.kind === 'tuple' ? fact.items?.map(look) : undefined;
}

const sequential: CallTransfer = (site, context) => {
  const items = sequentialItems(context.look, site);
  return context.put(items ? sequentialFact(context, items) : unbuilt);
};

const unbuilt: KerasModel = {
  kind: 'keras-model',
  class: 'keras.Sequential',
  callable: true,
  compiled: false,
};

function sequentialFact(context: Context, items: readonly Fact[]): KerasModel {
  const { input, output } = stacked(context.look, items);
  const layers = items.filter((item) => item.kind === 'keras-layer');
  return {
    ...unbuilt,
    layers: layers.map((layer) => ({
      name: '',
      class: layer.class ?? '?',
      object: context.put(layer),
    })),
    ...(input && { inputs: [input] }),
    ...(output && { outputs: [output] }),
    stack: items.map((item) => context.put(item)),
  };
}

const add: CallTransfer = (site, context) => {
  const { ref, fact } = site.receiver!;
  const [layer] = site.args.positional;
  if (fact.kind !== 'keras-model' || !fact.stack || !layer) return undefined;
  const items = [...fact.stack.map(context.look), layer.fact];
  context.state.update(ref, sequentialFact(context, items));
  return putNone(context);
};

/** `keras.Model(inputs, outputs)` between symbolic tensors. */
const functional: CallTransfer = (site, context) => {
  const shapes = (name: string, position: number): (Shape | null)[] | undefined => {
    const fact = argument(site, position, name)?.fact;
    const facts: readonly Fact[] | undefined =
      fact?.kind === 'list' || fact?.kind === 'tuple' ? fact.items?.map(context.look) : fact && [fact];
    return facts?.every(isSymbolic) ? facts.map((each) => each.shape ?? null) : undefined;
  };
  const inputs = shapes('inputs', 0);
  const outputs = shapes('outputs', 1);
  if (!inputs || !outputs) return undefined;
  return context.put({
    kind: 'keras-model',
    class: 'keras.models.Functional',
    callable: true,
    compiled: false,
    inputs,
    outputs,
  });
};

export const kerasBuilding: Transfers = {
  functions: {
    'keras.Sequential': sequential,
    'keras.Model': functional,
  },
  methods: { 'keras-model': { add } },
};
