// In the bundle, what is imported from the index of `@grus/core` comes from its own file: else every command would load all of them.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { root } from './setup.mjs';

const index = join(root, 'packages', 'core', 'src', 'index.ts');

/** By exported name: the file that has it, and its name there. */
const origins = new Map();
for (const { moduleSpecifier, exportClause } of parsed(readFileSync(index, 'utf8')).statements)
  for (const { name, propertyName } of exportClause.elements)
    origins.set(name.text, {
      file: join(dirname(index), moduleSpecifier.text.replace(/\.js$/, '.ts')),
      name: (propertyName ?? name).text,
    });

/** The module with its lines where they were. */
export function withoutBarrel(text) {
  if (!text.includes("from '@grus/core';")) return text;
  return parsed(text)
    .statements.filter((one) => ts.isImportDeclaration(one) && one.moduleSpecifier.text === '@grus/core')
    .toReversed()
    .reduce((rest, one) => {
      const before = rest.slice(one.getStart(), one.end);
      const lines = '\n'.repeat(before.split('\n').length - 1);
      return rest.slice(0, one.getStart()) + direct(one.importClause) + lines + rest.slice(one.end);
    }, text);
}

function direct({ isTypeOnly, namedBindings }) {
  if (isTypeOnly) return '';
  return namedBindings.elements
    .filter((one) => !one.isTypeOnly)
    .map(({ name, propertyName }) => {
      const origin = origins.get((propertyName ?? name).text);
      return `import { ${origin.name} as ${name.text} } from ${JSON.stringify(origin.file)};`;
    })
    .join(' ');
}

function parsed(text) {
  return ts.createSourceFile('module.ts', text, ts.ScriptTarget.Latest, true);
}
