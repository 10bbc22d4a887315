// What the imports of the executed cells prove: which module or which name of a module a global is bound to, and that
// these modules and names exist, because the cells ran.
import type { Snapshot } from '@grus/kernel/snapshot';
import type { History, NameChange } from './bindings.js';

export interface Imported {
  /** "numpy" for `import numpy as np`, "sklearn.svm.SVC" for `from sklearn.svm import SVC`. */
  readonly path: string;
  /** True when the name is certainly bound to a module. */
  readonly module: boolean;
}

export function importedFrom(binding: NameChange): Imported | undefined {
  const { node, name } = binding;
  if (node.nodeType === 'Import') {
    const alias = node.names.find((entry) => (entry.asname ?? entry.name.split('.')[0]) === name);
    if (alias === undefined) return undefined;
    return { path: alias.asname ? alias.name : name, module: true };
  }
  if (node.nodeType === 'ImportFrom' && node.module && !node.level) {
    const alias = node.names.find((entry) => (entry.asname ?? entry.name) === name);
    return alias === undefined ? undefined : { path: `${node.module}.${alias.name}`, module: false };
  }
  return undefined;
}

/** The dotted path that a dotted name of a cell stands for: "nn.Module" is "torch.nn.Module" after `import torch.nn as nn`. */
export function resolveImported(written: string, history: History): string {
  const [first, ...rest] = written.split('.');
  const last = history.bindings.get(first!)?.at(-1);
  const imported = last === undefined ? undefined : importedFrom(last);
  return imported === undefined ? written : [imported.path, ...rest].join('.');
}

export function provenModules(history: History): Snapshot['modules'] {
  const modules: Snapshot['modules'] = {};
  const present = (module: string): Snapshot['modules'][string] => {
    modules[module] ??= { status: 'present', names: {} };
    return modules[module];
  };
  for (const bindings of history.bindings.values())
    for (const { node, conditional } of bindings) {
      if (conditional) continue;
      if (node.nodeType === 'Import') for (const alias of node.names) packagesOf(alias.name).forEach(present);
      if (node.nodeType !== 'ImportFrom' || !node.module || node.level) continue;
      packagesOf(node.module).forEach(present);
      for (const alias of node.names) present(node.module).names[alias.name] = { status: 'present' };
    }
  return modules;
}

function packagesOf(module: string): string[] {
  const parts = module.split('.');
  return parts.map((_, index) => parts.slice(0, index + 1).join('.'));
}
