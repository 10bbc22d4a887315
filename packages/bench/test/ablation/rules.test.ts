// The rules of the library models as the ablation sees them: each has a name, tells when it answers, and can be left out.
import { libraries } from '@grus/notebook';
import { expect, it } from 'vitest';
import { observed, type Rule, without } from '../../src/ablation/rules.js';

function named(name: string, models = libraries) {
  return models.find((model) => model.name === name)!;
}

it('names every rule once, with its group in front', () => {
  const rules: Rule[] = [];
  without(libraries, (rule) => {
    rules.push(rule);
    return false;
  });
  expect(new Set(rules.map(({ name }) => name)).size).toBeGreaterThan(500);
  expect(rules).toContainEqual({ name: 'pandas methods.dataframe.merge', group: 'pandas methods.dataframe' });
  expect(rules).toContainEqual({ name: 'numpy functions.numpy.zeros', group: 'numpy functions' });
  for (const { name, group } of rules) expect(name.startsWith(group)).toBe(true);
});

it('leaves out the rules that are switched off, and no others', () => {
  const off = without(libraries, ({ name }) => name === 'pandas methods.dataframe.merge');
  const methods = named('pandas', off).transfers!.flatMap((table) =>
    Object.keys(table.methods?.dataframe ?? {}),
  );
  expect(methods).toContain('drop');
  expect(methods).not.toContain('merge');
  expect(named('pandas', off).kinds).toBe(named('pandas').kinds);
  expect(named('numpy', off).members?.({ kind: 'ndarray', class: 'numpy.ndarray' })).toContain('reshape');
});

it('tells of a rule that answers, and of none that has no answer', () => {
  const told: string[] = [];
  const models = observed(libraries, ({ name }) => told.push(name));
  const { members } = named('numpy', models);
  members?.({ kind: 'none' });
  expect(told).toEqual([]);
  members?.({ kind: 'ndarray', class: 'numpy.ndarray' });
  named('python', models).manners?.immutable?.test('datetime.date');
  named('pandas', models).questions?.askableMethods?.has('merge');
  named('pandas', models).manners?.exports?.includes('to_numpy');
  expect(told).toEqual([
    'numpy members',
    'python manners.immutable',
    'pandas questions.askableMethods',
    'pandas manners.exports',
  ]);
});
