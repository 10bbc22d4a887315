// Functions that a library is certain to call: once for each of some arguments that are known to come.
import type { NodeOf } from '@grus/python';
import type { Operand } from '../events.js';
import type { Ref } from '../facts.js';
import { call } from './calls.js';
import type { Interpreter } from './interpreter.js';

/** Walks the callee with each argument in turn, for what fails there; nothing else of the calls is kept. */
export function callWithEach(
  interpreter: Interpreter,
  node: NodeOf<'Call'>,
  callee: Operand,
  args: readonly Ref[],
): void {
  const { kind } = callee.fact;
  if (kind !== 'function' && kind !== 'library') return;
  const any = interpreter.state;
  for (const ref of args) {
    if (interpreter.budgetLeft < 0.5) break;
    interpreter.state = any.fork();
    call(interpreter, node, interpreter.operand(callee.node, callee.ref), {
      positional: [interpreter.operand(node, ref)],
      keywords: new Map(),
      complete: true,
    });
  }
  interpreter.state = any;
}
