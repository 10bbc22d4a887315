/**
 * # A module that is filled before it is initialised
 *
 * ## What
 * `__init__` of a class derived from `torch.nn.Module` assigns a layer and never calls the `__init__` of
 * its base.
 *
 * ## Why it crashes
 * `torch.nn.Module.__init__` makes the tables that layers and parameters are entered in. Without them PyTorch raises
 * `AttributeError: cannot assign module before Module.__init__() call`.
 *
 * ## Example
 * ```python state
 * from torch import nn
 *
 *
 * class Net(nn.Module):
 *     def __init__(self):
 *         self.fc = nn.Linear(4, 2)
 * ```
 * ```python cell
 * net = Net()
 * ```
 *
 * ## Fix
 * Begin `__init__` with `super().__init__()`.
 * ```python fixed
 * class Net(nn.Module):
 *     def __init__(self):
 *         super().__init__()
 *         self.fc = nn.Linear(4, 2)
 *
 *
 * net = Net()
 * ```
 *
 * ## When it stays silent
 * When `__init__` mentions `super` or another `__init__`, hands `self` on, when the class has a `__new__`, a
 * `__setattr__` or a decorator of its own, and when it is not certain that the assigned object is a layer.
 */
import { type Node, walk } from '@grus/python';
import type { Ref } from '../../reasoning/facts.js';
import { type CheckContext, defineCheck } from '../define-check.js';

export default defineCheck({
  id: 'torch/uninitialised-module',
  title: 'A module that is filled before it is initialised',
  rung: 'contracts',
  libraries: ['torch'],
  on: {
    storeAttribute(event, context) {
      const { fact } = event.receiver;
      if (fact.kind !== 'torch-module' || fact.of === undefined) return;
      if (event.value.fact.kind !== 'torch-module') return;
      if (!isFilledTooEarly(fact.of, event.node, context)) return;
      const name = (fact.class ?? 'the class').split('.').at(-1);
      context.report({
        exception: 'AttributeError',
        message: 'cannot assign module before Module.__init__() call',
        evidence: [
          {
            fact: `\`${name}.__init__\` never calls \`super().__init__()\` and sets \`${context.text(event.node)}\``,
            source: context.source(event.receiver),
          },
        ],
        explanation: `\`${context.text(event.node)} = …\` raises AttributeError: torch.nn.Module was not initialised, because \`${name}.__init__\` does not call the \`__init__\` of its base.`,
        remedy: `Call \`super().__init__()\` first in \`${name}.__init__\`.`,
      });
    },
  },
});

/** Whether the assignment stands in the `__init__` that makes the object, and nothing in there initialises the base. */
function isFilledTooEarly(classRef: Ref, node: Node, context: CheckContext): boolean {
  const fact = context.look(classRef);
  if (fact.kind !== 'class' || !fact.namespace || fact.dynamic) return false;
  if (fact.namespace.has('__new__') || fact.namespace.has('__setattr__')) return false;
  const ref = fact.namespace.get('__init__');
  const init = ref === undefined ? undefined : context.look(ref);
  if (init?.kind !== 'function' || init.node.nodeType !== 'FunctionDef') return false;
  if (init.node.decorator_list.length > 0) return false;
  const self = init.node.args.args[0]?.arg;
  let isInside = false;
  for (const inner of walk(init.node)) {
    if (inner === node) isInside = true;
    if (inner.nodeType === 'Name' && inner.id === 'super') return false;
    if (inner.nodeType === 'Attribute' && inner.attr.startsWith('__')) return false;
    if (inner.nodeType === 'Call' && isHandedOn(inner, self)) return false;
  }
  return isInside;
}

function isHandedOn(call: Extract<Node, { nodeType: 'Call' }>, self: string | undefined): boolean {
  const values = [...call.args, ...call.keywords.map(({ value }) => value)];
  return values.some((value) => value.nodeType === 'Name' && value.id === self);
}
