/**
 * # A name that its module does not have
 *
 * ## What
 * `from module import name` asks for a name that the loaded module does not hold and that is not a submodule of it; or a
 * relative import is tried in a notebook, which belongs to no package.
 *
 * ## Why it crashes
 * Python raises `ImportError: cannot import name …`.
 *
 * ## Example
 * ```python cell
 * from math import squareroot
 * ```
 *
 * ## Fix
 * Use a name that the installed version has. The message lists names that look like yours.
 * ```python fixed
 * from math import sqrt
 * ```
 *
 * ## When it stays silent
 * When the module is not loaded yet (its contents are then unknown), computes its names (`__getattr__`), or may have been
 * changed by the cell; and when the exception is caught.
 */
import { nearest } from '@grus/core';
import { placeOf } from '@grus/python';
import type { Import } from '../../reasoning/events.js';
import { reloadsModules } from '../../reasoning/live/origin.js';
import { type CheckContext, defineCheck } from '../define-check.js';
import { mayChangeImports, mayHaveSet } from './import-system.js';

export default defineCheck({
  id: 'names/missing-imported-name',
  title: 'A name that its module does not have',
  rung: 'names',
  libraries: [],
  on: {
    import(event, context) {
      if (event.node.nodeType === 'ImportFrom' && event.node.level) {
        reportRelative(event.node.level, context);
        return;
      }
      if (event.name === null || event.name === '*' || event.module === '__future__') return;
      const siblings = absentName(event, event.name, context);
      if (
        siblings === null ||
        reloadsModules(context.snapshot) ||
        mayChangeImports(context) ||
        mayHaveSet(event.name, context.cell)
      )
        return;
      const near = nearest(event.name, siblings);
      const version = context.snapshot.modules[event.module]?.version;
      context.report({
        exception: 'ImportError',
        message: `cannot import name '${event.name}' from '${event.module}' (…)`,
        evidence: [
          {
            fact: `module '${event.module}'${version ? ` ${version}` : ''} has no name '${event.name}'`,
            source: `kernel: ${event.module}`,
          },
        ],
        explanation: `The loaded module \`${event.module}\` has neither a name nor a submodule \`${event.name}\`, so the import raises ImportError.`,
        remedy:
          near.length > 0
            ? `Did you mean ${near.map((word) => `\`${word}\``).join(' or ')}?`
            : `Look up where the installed version of \`${event.module.split('.')[0]}\` keeps \`${event.name}\`.`,
        ...(near.length === 1 && {
          edit: {
            place: { ...placeOf(event.alias), endColumn: placeOf(event.alias).column + event.name.length },
            replacement: near[0]!,
            title: `Replace \`${event.name}\` by \`${near[0]}\``,
          },
        }),
      });
    },
  },
});

/** Near misses of a name that the module certainly lacks; null when it has it or nothing is certain. */
function absentName(event: Import, name: string, context: CheckContext): readonly string[] | null {
  const module = context.snapshot.modules[event.module];
  if (module) {
    const member = module.status === 'present' ? module.names[name] : undefined;
    return member?.status === 'absent' ? (member.siblings ?? []) : null;
  }
  // A missing module is another check's matter.
  if (context.ask({ ask: 'import', path: event.module, value: null })?.status !== 'yes') return null;
  const answer = context.ask({ ask: 'import', path: event.module, value: name });
  return answer?.status === 'no' ? (answer.siblings ?? []) : null;
}

function reportRelative(level: number, context: CheckContext): void {
  if (context.effects.names || context.snapshot.namespace.includes('__package__')) return;
  context.report({
    exception: 'ImportError',
    message: 'attempted relative import with no known parent package',
    evidence: [
      {
        fact: `the import goes ${level === 1 ? 'one level' : `${level} levels`} up, and a notebook belongs to no package`,
        source: 'this cell',
      },
    ],
    explanation: 'A notebook is no part of a package, so a relative import has nothing to be relative to.',
    remedy: 'Import the module by its absolute name, and put its folder on `sys.path` if needed.',
  });
}
