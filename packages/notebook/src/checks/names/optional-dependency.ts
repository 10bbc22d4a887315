/**
 * # A package that a library needs only for this function
 *
 * ## What
 * A function of a library is called that works only with another package, and that package is not installed: pandas without
 * an Excel or Parquet engine, plots of trees without graphviz.
 *
 * ## Why it crashes
 * The library imports the package when the function is called and raises `ImportError` or `ModuleNotFoundError`.
 *
 * ## Example
 * ```python state
 * import pandas as pd
 *
 * frame = pd.DataFrame({"a": [1]})
 * ```
 * ```python cell
 * frame.to_markdown()
 * ```
 *
 * ## Fix
 * Install the package in the kernel's environment, or use a function that does without it.
 * ```python fixed
 * frame.to_string()
 * ```
 *
 * ## When it stays silent
 * When another engine is chosen, when one of several packages would do, and when the cell may have installed something.
 */

import { argument } from '../../reasoning/arguments.js';
import type { EventOf } from '../../reasoning/events.js';
import { defineCheck } from '../define-check.js';
import { distributionOf } from './distributions.js';
import { mayChangeImports } from './import-system.js';
import { findModule } from './missing-module.js';

interface Need {
  /** One of these must be there. */
  readonly modules: readonly string[];
  readonly exception: 'ImportError' | 'ModuleNotFoundError';
  readonly message: string;
  /** The parameter by which another engine could be chosen. */
  readonly engine?: readonly [position: number | null, name: string];
  /** Files for which the need holds, by the first argument. */
  readonly file?: RegExp;
}

const parquet: Need = {
  modules: ['pyarrow', 'fastparquet'],
  exception: 'ImportError',
  message: "Unable to find a usable engine; tried using: 'pyarrow', 'fastparquet'.",
  engine: [null, 'engine'],
};
const graphviz: Need = {
  modules: ['graphviz'],
  exception: 'ImportError',
  message: 'You must install graphviz to plot tree',
};
/** pandas writes .xlsx with xlsxwriter where it is installed. */
const excel: Need = {
  modules: ['openpyxl', 'xlsxwriter'],
  exception: 'ModuleNotFoundError',
  message: "No module named 'openpyxl'",
  engine: [null, 'engine'],
  file: /\.xlsx$/i,
};

const functions: Record<string, Need> = {
  'xgboost.plot_tree': graphviz,
  'xgboost.to_graphviz': graphviz,
  'pandas.read_parquet': parquet,
};
const frameMethods: Record<string, Need> = {
  to_excel: excel,
  to_parquet: parquet,
  to_hdf: optional('tables'),
  to_markdown: optional('tabulate'),
};

function optional(module: string): Need {
  return { modules: [module], exception: 'ImportError', message: `…${module}…` };
}

export default defineCheck({
  id: 'names/optional-dependency',
  title: 'A package that a library needs only for this function',
  rung: 'names',
  libraries: ['pandas', 'xgboost'],
  on: {
    call(event, context) {
      const need = needOf(event);
      if (!need || mayChangeImports(context) || !event.args.complete) return;
      if (need.engine && argument(event, ...need.engine)) return;
      if (need.file) {
        const first = event.args.positional[0];
        const path = first && context.literal(first.ref);
        if (typeof path !== 'string' || !need.file.test(path)) return;
      }
      if (!need.modules.every((module) => findModule(module, context)?.status === 'absent')) return;
      const [module = ''] = need.modules;
      const name = context.text(event.node.func);
      context.report({
        exception: need.exception,
        message: need.message,
        evidence: [
          { fact: `${need.modules.join(' and ')} cannot be imported`, source: 'kernel: import path' },
        ],
        explanation: `\`${name}\` raises ${need.exception}: it needs ${need.modules.join(' or ')}, and the kernel's Python has none.`,
        remedy: `Install it in the kernel's environment: \`%pip install ${distributionOf(module)}\`.`,
      });
    },
  },
});

function needOf({ target, receiver, method }: EventOf<'call'>): Need | undefined {
  if (target !== null && Object.hasOwn(functions, target)) return functions[target];
  if (receiver?.fact.kind !== 'dataframe' || method === null) return undefined;
  return Object.hasOwn(frameMethods, method) ? frameMethods[method] : undefined;
}
