// Which difference best explains that one run did worse: one that acts on what failed, and the larger the change the better.
// Where nothing that training sees is different, nothing is explained.
import { causeOf } from '../causes/table.js';
import { figure } from '../record/figures.js';
import type { SettingValue } from '../record/run-record.js';
import type { Contrasted } from './contrast.js';
import type { Difference, Explanation } from './define.js';
import { plain, type Unweighed } from './differences.js';
import { type Lever, relevance } from './levers.js';

/** Below this a difference is told, and not called an explanation. */
const explains = 0.05;
/** A rival explains nearly as much as the best. */
const nearly = 0.6;

/** A stated change of this size may have brought about what was measured. */
const large = 0.65;

export function weigh(differences: readonly Unweighed[], { endings, worse }: Contrasted): Difference[] {
  const subcause = worse?.diagnosis.subcause ?? null;
  const what = endings === 'shorter' ? endings : subcause === null ? null : causeOf(subcause).group;
  const weighed = differences.map((difference) => {
    const { lever, before, after, measured = false } = difference;
    const { size, change } = sizeOf(difference.name, before, after, lever);
    const isAsked = lever !== null && (endings === 'apart' || endings === 'shorter');
    return { ...difference, measured, change, size, weight: isAsked ? relevance(lever, what) * size : 0 };
  });
  // What was measured follows what was stated: other columns have another deviation.
  const stated = weighed.filter(({ measured, size }) => !measured && size >= large);
  const limit = (lever: Lever | null): number =>
    stated
      .filter((one) => one.lever === lever || (one.lever === 'library' && lever === 'data'))
      .reduce((most, { weight }) => Math.max(most, weight), 0);
  return weighed
    .map(({ size: _, ...one }) => {
      const most = one.measured ? 0.9 * limit(one.lever) : 0;
      return { ...one, weight: round(most > 0 ? Math.min(one.weight, most) : one.weight) };
    })
    .sort((a, b) => b.weight - a.weight || Number(a.lever === null) - Number(b.lever === null));
}

export function explain(
  differences: readonly Difference[],
  { endings, worse }: Contrasted,
): Explanation | null {
  const [best, ...others] = differences;
  if (!best || best.weight < explains) return null;
  const followers = others.filter(
    ({ measured, lever }) => !best.measured && measured && lever === best.lever,
  );
  const rivals = others.filter(
    (one) => one.weight >= Math.max(explains, nearly * best.weight) && !followers.includes(one),
  );
  const subcause = worse?.diagnosis.subcause ?? null;
  const failed = subcause === null ? null : causeOf(subcause).title;
  const only = others.every((one) => one.weight < explains || followers.includes(one));
  const why = only
    ? 'No other difference is likely to matter.'
    : endings === 'shorter'
      ? `It acts on ${actsOn[best.lever!]}.`
      : failed === null
        ? `It acts on ${actsOn[best.lever!]}, and of what differs it changed most.`
        : `It acts on ${actsOn[best.lever!]}, and what failed is: ${failed}.`;
  const told = followers.map(
    ({ name, before, after }) => ` With it, ${name} went from ${shown(before)} to ${shown(after)}.`,
  );
  return {
    difference: best,
    rivals: rivals.map(({ name }) => name),
    text: `${best.name}: ${shown(best.before)} before, ${shown(best.after)} after (${best.change}). ${why}${told.join('')}`,
  };
}

const actsOn: Readonly<Record<Lever, string>> = {
  steps: 'the steps that the optimizer takes',
  precision: 'the precision of the numbers',
  batch: 'what one step holds in memory and learns from',
  model: 'the model',
  start: 'the weights that training starts from',
  regularisation: 'how freely the model may fit',
  length: 'how long it trains',
  data: 'the data',
  objective: 'what is minimised',
  code: 'the code',
  library: 'the libraries',
  machine: 'the machine',
  loading: 'how data are loaded',
  other: 'something that Grus has no name for',
};

export function shown(value: SettingValue): string {
  if (value === null) return 'not set';
  if (typeof value === 'number')
    // Settings are shown as they were written: 524288, 0.00003.
    return Math.abs(value) < 1e9
      ? String(Number(value.toPrecision(Number.isInteger(value) ? 9 : 6)))
      : figure(value);
  const text = String(value).replaceAll(/\s+/g, ' ');
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`;
}

/** Of a value, in characters. */
const longest = 60;

interface Size {
  /** From 0 to 1. */
  readonly size: number;
  readonly change: string;
}

function sizeOf(name: string, before: SettingValue, after: SettingValue, lever: Lever | null): Size {
  if (before === null || after === null) {
    // What is off in one run and not mentioned in the other is mostly off in both.
    const isOff = plain(before ?? after) === false;
    return { size: isOff ? 0.04 : 0.5, change: before === null ? 'only in the second' : 'only in the first' };
  }
  if (lever === 'library') return versionSize(String(before), String(after));
  if (lever === 'code') return { size: 0.7, change: 'changed' };
  const [a, b] = [plain(before), plain(after)].map(amount);
  if (typeof a !== 'number' || typeof b !== 'number') return { size: 0.7, change: 'changed' };
  if (Math.max(Math.abs(a), Math.abs(b)) < nearlyNothing) return { size: 0.1, change: 'changed' };
  if (a === 0 || b === 0) {
    // What can be switched off is a share, a weight, or a count: a little of it is little.
    const lot = isCount.test(name) ? manySteps : aLot;
    const size = 0.1 + 0.7 * Math.min(1, Math.abs(a + b) / lot);
    return { size, change: b === 0 ? 'now zero' : 'no longer zero' };
  }
  if (a < 0 !== b < 0) return { size: 0.8, change: 'of the other sign' };
  const ratio = b / a;
  // Momenta and decays act by what they lack of 1: from 0.9 to 0.999 is a hundred times.
  const acting = isShareOfOne(a) && isShareOfOne(b) ? (1.0001 - b) / (1.0001 - a) : ratio;
  const size = 0.2 + 0.8 * Math.min(1, Math.abs(Math.log10(acting)) / 1.5);
  const change =
    ratio >= 1.095
      ? `${figure(Number(ratio.toPrecision(2)))} times as large`
      : ratio <= 1 / 1.095
        ? `${figure(Number((1 / ratio).toPrecision(2)))} times smaller`
        : 'about the same';
  return { size, change };
}

const nearlyNothing = 1e-6;
const isCount =
  /(steps?|iters?|iterations|epochs?|batches|warmup|workers|patience|tokens|samples|rows|every)$/i;
const manySteps = 50;
const isShareOfOne = (value: number): boolean => value >= 0.5 && value <= 1;
/** Of a dropout, a decay, a share of rows. */
const aLot = 0.3;

/** Of a shape, `float32 [32, 20]`, how much it holds. */
function amount(value: SettingValue): SettingValue {
  const shape = typeof value === 'string' ? /^[a-z][\w.]* \[(\d+(?:, ?\d+)*)\]$/.exec(value) : null;
  return shape ? shape[1]!.split(',').reduce((product, size) => product * Number(size), 1) : value;
}

function versionSize(before: string, after: string): Size {
  const [a, b] = [before, after].map((version) => version.split(/[.+]/));
  if (a![0] !== b![0]) return { size: 0.9, change: 'another major version' };
  return a![1] === b![1]
    ? { size: 0.3, change: 'another patch version' }
    : { size: 0.6, change: 'another minor version' };
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
