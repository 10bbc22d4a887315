// Imports bind modules and the things taken from them, known by their qualified names.
import type { NodeOf } from '@grus/python';
import { publicName } from '../../names.js';
import { isKnownPackage } from '../../registry.js';
import type { Interpreter } from '../interpreter.js';
import { bindName } from '../scopes.js';
import { librariesChanged } from '../user-code/patched.js';

export function importModules(interpreter: Interpreter, node: NodeOf<'Import'>): void {
  for (const alias of node.names) {
    interpreter.emit({ type: 'import', node, alias, module: alias.name, name: null });
    codeOfModuleRuns(interpreter, alias.name);
    const name = alias.asname ? alias.name : alias.name.split('.')[0]!;
    bindName(
      interpreter,
      alias.asname ?? name,
      interpreter.put({ kind: 'module', class: 'builtins.module', name }),
    );
  }
}

export function importFrom(interpreter: Interpreter, node: NodeOf<'ImportFrom'>): void {
  const module = node.level ? '' : (node.module ?? '');
  codeOfModuleRuns(interpreter, module);
  for (const alias of node.names) {
    interpreter.emit({ type: 'import', node, alias, module, name: alias.name });
    if (alias.name === '*') {
      interpreter.state.openNames();
      continue;
    }
    const ref =
      module === ''
        ? interpreter.unknown()
        : interpreter.put({
            kind: 'library',
            name: publicName(`${module}.${alias.name}`),
            spelled: `${module}.${alias.name}`,
          });
    bindName(interpreter, alias.asname ?? alias.name, ref);
  }
}

/** Code of a module may add to the classes of others: accessors, methods, types. Of some libraries it is known not to. */
function codeOfModuleRuns(interpreter: Interpreter, module: string): void {
  if (!isKnownPackage(module) && interpreter.runs(module)) librariesChanged(interpreter);
}
