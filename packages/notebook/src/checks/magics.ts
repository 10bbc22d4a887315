// Magics take effect where they stand: before each statement, those on earlier lines are applied to the state.
import type { Node, ParsedCell } from '@grus/python';
import { placeOf } from '@grus/python';
import type { Interpreter } from '../reasoning/interpreter/interpreter.js';
import { globalScope } from '../reasoning/state.js';

/** What IPython binds whenever a magic runs a program. */
const exitCode = '_exit_code';

export function magicEffects(cell: ParsedCell): (node: Node, interpreter: Interpreter) => void {
  const pending = [...cell.magics].sort((a, b) => a.line - b.line);
  return (node, interpreter) => {
    const { line } = placeOf(node);
    while (pending.length > 0 && pending[0]!.line <= line) {
      const { effects } = pending.shift()!;
      if (effects.names) interpreter.state.forgetEverything();
      interpreter.state.bind(globalScope, exitCode, { status: 'unknown' });
      for (const field of ['files', 'directory', 'modules'] as const)
        interpreter.state.effects[field] ||= effects[field];
    }
  };
}
