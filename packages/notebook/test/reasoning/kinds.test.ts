// Facts of all kinds, Python's own and those of the libraries, keep the laws of the reasoning; and the reasoning itself
// names no library.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { libraries } from '../../src/generated/libraries.js';
import { type Fact, known } from '../../src/reasoning/facts.js';
import { joinFacts, lengthOf, refsIn, shapeOf, weaken, withoutValues } from '../../src/reasoning/kinds.js';
import { registerLibraries } from '../../src/reasoning/registry.js';
import { summarise } from '../../src/reasoning/summary.js';

registerLibraries(libraries);
const source = fileURLToPath(new URL('../../src', import.meta.url));

const facts: readonly Fact[] = [
  { kind: 'scalar', type: 'int', class: 'builtins.int', value: 3 },
  { kind: 'list', class: 'builtins.list', items: [1, 2], length: 2 },
  { kind: 'tuple', class: 'builtins.tuple', items: [1, 2], length: 2 },
  {
    kind: 'dict',
    class: 'builtins.dict',
    entries: new Map([['sa', { key: 'a', value: 1 }]]),
    complete: true,
  },
  { kind: 'instance', class: 'builtins.object', of: 7, attributes: new Map([['x', 1]]), complete: true },
  { kind: 'dataframe', class: 'pandas.DataFrame', columns: [{ label: 'a', values: { min: 1 } }], rows: 2 },
  { kind: 'series', class: 'pandas.Series', dtype: 'int64', rows: 2, values: { min: 1 } },
  { kind: 'indexer', accessor: 'loc', owner: 1 },
  { kind: 'groupby', keys: ['a'], frame: 1 },
  { kind: 'ndarray', class: 'numpy.ndarray', dtype: 'int64', shape: [2, 3], values: { min: 1 } },
  { kind: 'tensor', class: 'torch.Tensor', dtype: 'float32', shape: [2, 3], device: 'cpu' },
  { kind: 'torch-module', class: 'torch.nn.Linear', of: 7, hooked: true, layers: [] },
  { kind: 'keras-model', class: 'keras.Sequential', compiled: true, outputs: [[null, 2]] },
  { kind: 'estimator', class: 'sklearn.svm.SVC', fitted: true, parameters: new Map([['C', 1]]), fresh: true },
];

describe('facts', () => {
  it.each(facts)('of a $kind join with themselves to themselves', (fact) => {
    expect(joinFacts(fact, { ...fact })).toEqual(fact);
  });

  it.each(facts)('of a $kind keep kind and class, and get no stronger, when they are weakened', (fact) => {
    const weaker = weaken(fact);
    expect([weaker.kind, weaker.class]).toEqual([fact.kind, fact.class]);
    expect(fact).toMatchObject(weaker);
    expect(weaken(weaker)).toEqual(weaker);
    expect(joinFacts(fact, weaker)).toEqual(weaker);
  });

  it.each(facts)('of a $kind are summed up without leading to other objects', (fact) => {
    const { fact: summary } = summarise(() => fact, 0, 0);
    expect([...refsIn(summary)]).toEqual([]);
  });

  it('lose what was said of the contents when these may have changed', () => {
    expect(facts.filter((fact) => JSON.stringify(withoutValues(fact)).includes('"min"'))).toEqual([]);
  });

  it('have no field for what is not known, and stay the same objects where all is', () => {
    const [fact] = facts;
    expect(Object.keys(known({ ...fact!, value: undefined }))).toEqual(['kind', 'type', 'class']);
    expect(known(fact!)).toBe(fact);
  });

  it('of different kinds agree on the class at most', () => {
    expect(joinFacts(facts[5]!, facts[6]!)).toEqual({ kind: 'unknown' });
  });

  it('tell length and shape alike, whichever library they are of', () => {
    const told = facts.slice(5, 11).map((fact) => [fact.kind, lengthOf(fact), shapeOf(fact)]);
    expect(told).toEqual([
      ['dataframe', 2, [2, 1]],
      ['series', 2, [2]],
      ['indexer', undefined, undefined],
      ['groupby', undefined, undefined],
      ['ndarray', 2, [2, 3]],
      ['tensor', 2, [2, 3]],
    ]);
  });
});

describe('libraries', () => {
  it.each(libraries)('$name goes by the name of its folder', ({ name }) => {
    expect(readdirSync(join(source, 'libraries'))).toContain(name);
  });

  it('are named nowhere in the code of the reasoning', () => {
    const names =
      /\b(torch|keras|tensorflow|sklearn|pandas|numpy|xgboost|lightgbm|matplotlib|dataframe|ndarray)\b/;
    const named = readdirSync(join(source, 'reasoning'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) =>
        readFileSync(join(source, 'reasoning', file), 'utf8')
          .split('\n')
          .filter((line) => names.test(line) && !/^\s*(\/\/|\/?\*)/.test(line))
          .map((line) => `${file}: ${line.trim()}`),
      );
    expect(named).toEqual([]);
  });
});
