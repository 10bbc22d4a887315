// Signatures of library functions whose positional arguments became fewer at a known version; they serve when the live
// signature is not at hand (a recorded snapshot, a function taken from a module imported in the same cell).
import type { Parameter } from '@grus/kernel/snapshot';
import type { EventOf } from '../../reasoning/events.js';
import type { CheckContext } from '../define-check.js';
import { atLeast } from '../versions.js';
import type { Signature } from './signature.js';

interface Known {
  readonly module: string;
  /** The version since which the signature holds. */
  readonly since: readonly number[];
  /** Parameters that may be passed by position; the rest are keywords. */
  readonly positional: string;
  readonly takesKeywords: boolean;
  /** All keywords beyond those, where `takesKeywords` is false. */
  readonly keywords?: string;
}

const seabornData: Known = { module: 'seaborn', since: [0, 12], positional: 'data', takesKeywords: true };
const seabornPlots = [
  'barplot',
  'boxplot',
  'violinplot',
  'countplot',
  'scatterplot',
  'lineplot',
  'stripplot',
  'swarmplot',
  'pointplot',
  'boxenplot',
  'histplot',
  'kdeplot',
  'catplot',
  'relplot',
  'lmplot',
  'displot',
  'regplot',
];

const makesArray: Known = {
  module: 'numpy',
  since: [1, 0],
  positional: 'object dtype',
  takesKeywords: false,
  keywords: 'copy order subok ndmin ndmax like',
};

const known: Record<string, Known> = {
  'numpy.array': makesArray,
  ...Object.fromEntries(
    seabornPlots.map((name) => [`seaborn.${name}`, name === 'lmplot' ? { ...seabornData } : seabornData]),
  ),
  'sklearn.utils.compute_class_weight': {
    module: 'sklearn',
    since: [1, 0],
    positional: 'class_weight',
    takesKeywords: true,
  },
  'matplotlib.pyplot.scatter': {
    module: 'matplotlib',
    since: [3, 0],
    positional: 'x y s c marker cmap norm vmin vmax alpha linewidths',
    takesKeywords: true,
  },
};

export function knownSignature(event: EventOf<'call'>, context: CheckContext): Signature | undefined {
  if (event.target === null || !Object.hasOwn(known, event.target)) return undefined;
  const entry = known[event.target]!;
  if (!atLeast(context, entry.module, entry.since)) return undefined;
  const parameters: Parameter[] = entry.positional
    .split(' ')
    .map((name) => ({ name, kind: 'positional_or_keyword', has_default: true }));
  for (const name of entry.keywords?.split(' ') ?? [])
    parameters.push({ name, kind: 'keyword_only', has_default: true });
  if (entry.takesKeywords) parameters.push({ name: 'options', kind: 'var_keyword', has_default: false });
  return { name: event.target.split('.').at(-1)!, parameters };
}
