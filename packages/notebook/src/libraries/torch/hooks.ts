// What torch does at points of the walk that are not its own: questions with stand-ins, gradients, changed weights.
import type { Expression, Node } from '@grus/python';
import type { Context } from '../../reasoning/context.js';
import type { Hooks } from '../../reasoning/library.js';
import { recallTorch } from './memory.js';
import { inquireStep } from './questions/answers.js';
import {
  callStep,
  inquireAttribute,
  inquireBinary,
  inquireInPlace,
  inquireItem,
  inquireLength,
  inquireParts,
  inquireStore,
} from './questions/steps.js';

/** What `with torch.no_grad():` and its like make of gradients; undefined where they leave them alone. */
function gradientsUnder(name: string, node: Expression): 'on' | 'off' | 'unknown' | undefined {
  if (/^torch\.(\w+\.)*(autocast|device)$/.test(name)) return 'unknown';
  const [, mode] =
    /^torch\.(?:\w+\.)*(no_grad|inference_mode|enable_grad|set_grad_enabled)$/.exec(name) ?? [];
  if (mode === undefined) return undefined;
  const given = node.nodeType === 'Call' ? (node.args[0] ?? node.keywords[0]?.value) : undefined;
  const isBare = node.nodeType === 'Call' && given === undefined;
  if (mode === 'no_grad' || (mode === 'inference_mode' && isBare)) return 'off';
  if (mode === 'enable_grad') return 'on';
  const value = given?.nodeType === 'Constant' ? given.value : undefined;
  if (typeof value !== 'boolean') return 'unknown';
  return value === (mode === 'set_grad_enabled') ? 'on' : 'off';
}

/** `layer.weight.data = …`: the layer takes other shapes. */
function weightsChanged(holder: Node, context: Context): void {
  let root = holder;
  while (root.nodeType === 'Attribute' || root.nodeType === 'Subscript') root = root.value;
  const ref = root.nodeType === 'Name' ? context.named(root.id) : undefined;
  if (ref === undefined || context.look(ref).kind !== 'torch-module') return;
  recallTorch(context).rebuiltModules = true;
  context.state.mayMutate(ref);
}

/** Nothing inside is asked: the whole is. */
function silently<T>(context: Context, run: () => T): T {
  context.mutedInquiry++;
  try {
    return run();
  } finally {
    context.mutedInquiry--;
  }
}

export const hooks: Hooks = {
  aroundCall(site, callee, context, perform) {
    const step = callStep(context, site, callee);
    if (step === undefined) return undefined;
    const result = silently(context, perform);
    return inquireStep(context, site.node, step, result) ?? result;
  },
  aroundBinary({ node, operator, inPlace }, operands, derived, context) {
    if (!inPlace) return inquireBinary(context, node, operator, operands, derived);
    inquireInPlace(context, node, operator, operands[0]);
    return derived;
  },
  aroundItem: (node, [container, key], derived, context) =>
    inquireItem(context, node, container, key, derived),
  askAttribute: (node, receiver, context) => inquireAttribute(context, node, receiver, node.attr),
  askParts: (value, count, context) => inquireParts(context, value, count),
  askLength: (node, value, context) => inquireLength(context, node, value),
  enterManager(name, node, context) {
    const gradients = gradientsUnder(name, node);
    if (gradients === undefined || !context.inquiry) return undefined;
    const memory = recallTorch(context);
    const before = memory.gradientsOff;
    if (gradients === 'off') memory.gradientsOff++;
    if (gradients === 'on') memory.gradientsOff = 0;
    return {
      mutes: gradients === 'unknown',
      leave: () => {
        memory.gradientsOff = before;
      },
    };
  },
  beforeStoreItem: (node, operands, context) => inquireStore(context, node, operands),
  beforeStoreAttribute(receiver, name, context) {
    if (name === 'data') weightsChanged(receiver.node, context);
  },
  afterUnknownMethod({ fact }, context) {
    if (fact.kind === 'torch-module') recallTorch(context).rebuiltModules = true;
  },
  afterClassChange(context) {
    recallTorch(context).rebuiltModules = true;
  },
  instanceKind: (ancestors) => (ancestors.includes('torch.nn.Module') ? 'torch-module' : undefined),
};
