// `with`: context managers may swallow exceptions, run code of the user's, or change how a library works in their body.
import type { Expression, NodeOf } from '@grus/python';
import type { Fact, Ref } from '../../facts.js';
import type { Entered } from '../../library.js';
import { topPackage } from '../../names.js';
import { firstHooked, someManners } from '../../registry.js';
import { State } from '../../state.js';
import type { Body, Interpreter } from '../interpreter.js';
import { classOf } from '../user-code/classes.js';
import { userCodeMayRun } from '../user-code/implicit.js';
import { executeAnywhere } from './handlers.js';
import { assign } from './targets.js';

/** Managers that exist to swallow, whatever their package: `numpy.testing.assert_raises`. */
const expecting = /raises|suppress|expect|ignore|assert/i;

export function executeWith(interpreter: Interpreter, node: NodeOf<'With' | 'AsyncWith'>): void {
  const before = interpreter.state.certain;
  const exits = { ...interpreter.exits };
  let swallows = false;
  const entered: Entered[] = [];
  const managers: Ref[] = [];
  let { mutedInquiry } = interpreter;
  for (const item of node.items) {
    const muted = interpreter.mutedInquiry;
    const manager = interpreter.evaluateOperand(item.context_expr);
    interpreter.emit({ type: 'enterContext', node: item.context_expr, manager });
    if (maySwallow(interpreter, item.context_expr, manager.fact)) swallows = true;
    // Its own `__enter__` and `__exit__` change it.
    if (classOf(manager.fact) !== undefined) managers.push(manager.ref);
    for (const ref of managers) interpreter.state.mayMutate(ref);
    const known = interpreter.inquiry && enter(interpreter, item.context_expr, manager.fact);
    if (known) {
      entered.push(known);
      interpreter.mutedInquiry = known.mutes ? muted + 1 : muted;
    } else mutedInquiry += interpreter.mutedInquiry - muted;
    if (item.optional_vars) {
      const entered = /^io\.(TextIOWrapper|IOBase)$/.test(manager.fact.class ?? '')
        ? manager.ref
        : interpreter.unknown();
      assign(interpreter, item.optional_vars, interpreter.operand(item.context_expr, entered));
    }
  }
  if (swallows) {
    interpreter.state.certain = false;
    userCodeMayRun(interpreter);
  }
  const inBody = interpreter.mutedInquiry;
  let anywhere = interpreter.state;
  try {
    if (swallows) anywhere = executeAnywhere(interpreter, node.body as Body);
    else interpreter.execute(node.body as Body);
  } finally {
    for (const each of entered.reverse()) each.leave?.();
    interpreter.mutedInquiry += mutedInquiry - inBody;
  }
  const { alive } = interpreter.state;
  if (swallows) interpreter.state = State.join(anywhere, interpreter.state);
  for (const ref of managers) interpreter.state.mayMutate(ref);
  if (!swallows) return;
  userCodeMayRun(interpreter);
  interpreter.state.certain =
    before &&
    alive &&
    exits.leave === interpreter.exits.leave &&
    exits.return === interpreter.exits.return &&
    exits.break === interpreter.exits.break;
}

/** What a library knows of entering the manager; where it is known, whatever making it may have set is part of it. */
function enter(interpreter: Interpreter, node: Expression, manager: Fact): Entered | undefined {
  const made = node.nodeType === 'Call' ? calleeName(interpreter, node) : undefined;
  const name = made ?? manager.class ?? '';
  return firstHooked((hooks) => hooks.enterManager?.(name, node, interpreter));
}

function maySwallow(
  interpreter: Interpreter,
  node: NodeOf<'Call'> | { nodeType: string },
  fact: Fact,
): boolean {
  const name =
    fact.class ?? (node.nodeType === 'Call' ? calleeName(interpreter, node as NodeOf<'Call'>) : undefined);
  return (
    name === undefined ||
    !someManners(({ lettingThrough }) => lettingThrough?.includes(topPackage(name))) ||
    expecting.test(name)
  );
}

function calleeName(interpreter: Interpreter, node: NodeOf<'Call'>): string | undefined {
  let found: string | undefined;
  interpreter.silently(() => {
    const fact = interpreter.look(interpreter.evaluate(node.func));
    if (fact.kind === 'library') found = fact.name;
    else if (fact.kind === 'class' && !fact.namespace) found = fact.name;
    else if (fact.kind === 'method') found = interpreter.look(fact.receiver).class;
  });
  return found;
}
