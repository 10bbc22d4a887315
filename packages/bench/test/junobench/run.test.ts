// The whole benchmark on a small folder of our own: methods, the JSON contract, the rendering, and what a user sees when
// the folder or a method name is wrong.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { GrusError } from '@grus/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Junobench } from '../../src/junobench/data/load.js';
import { availableMethods } from '../../src/junobench/methods/names.js';
import { type JunobenchReport, runJunobench } from '../../src/junobench/run.js';
import { renderJunobench } from '../../src/report/junobench.js';
import { renderJunobenchHtml } from '../../src/report/junobench-html.js';
import { writeGarden } from './garden.js';

let data: string;
let report: JunobenchReport;

beforeAll(async () => {
  data = writeGarden();
  report = await runJunobench({ data });
});
afterAll(() => rmSync(data, { recursive: true, force: true }));

const outcomes = (method: string) =>
  Object.fromEntries(
    report.predictions.filter((row) => row.method === method).map((row) => [row.instance, row.outcome]),
  );

describe('runJunobench', () => {
  it('runs every method that the folder holds data for', () => {
    expect(Object.keys(report.methods)).toEqual([
      'names',
      'contracts',
      'recorded:oak',
      'recorded:oak:code',
      'hybrid:oak',
      'analyzer:pyright',
    ]);
    expect(Object.keys(report.methods)).toEqual(availableMethods(Junobench.load(data)));
    expect(report.predictions).toHaveLength(6 * 4);
  });

  it('lets the majority of recorded answers decide, whatever their form', () => {
    expect(outcomes('recorded:oak')).toEqual({
      garden_1_reproduced: 'ok',
      garden_1_fixed: 'ok',
      garden_2_reproduced: 'crash',
      garden_2_fixed: 'crash',
    });
    expect(report.methods['recorded:oak']).toMatchObject({
      n: 4,
      accuracy: 0.5,
      precision: 0.5,
      recall: 0.5,
      false_alarms: 1,
    });
    const row = report.predictions.find(
      (entry) => entry.method === 'recorded:oak' && entry.instance === 'garden_2_fixed',
    );
    expect(row).toMatchObject({ votes: { crash: 3, of: 5 }, correct: false, diagnosed: false });
  });

  it('puts the ladder first and the model where the ladder abstains', () => {
    expect(outcomes('contracts')).toMatchObject({ garden_1_reproduced: 'crash', garden_1_fixed: 'unknown' });
    const hybrid = outcomes('hybrid:oak');
    expect(hybrid).toMatchObject({ garden_1_reproduced: 'crash', garden_2_reproduced: 'crash' });
    expect(hybrid['garden_1_fixed']).not.toBe('crash');
    expect(hybrid['garden_2_fixed']).not.toBe('crash');
    expect(report.methods['hybrid:oak']).toMatchObject({ accuracy: 1, false_alarms: 0 });
  });

  it('judges the diagnosis of every kind of method', () => {
    const diagnosed = (method: string, instance: string) =>
      report.predictions.find((row) => row.method === method && row.instance === instance)?.diagnosed;
    expect(diagnosed('contracts', 'garden_1_reproduced')).toBe(true);
    expect(diagnosed('recorded:oak', 'garden_2_reproduced')).toBe(true);
    expect(diagnosed('analyzer:pyright', 'garden_1_reproduced')).toBe(true);
  });

  it('compares with the recorded models and breaks the figures down', () => {
    const contracts = report.methods['contracts']!;
    expect(contracts.mcnemar['recorded:oak']).toMatchObject({ onlySecond: expect.any(Number) });
    expect(contracts.by.crash_type['attribute error']).toMatchObject({ n: 2, accuracy: 1 });
    expect(contracts.ms?.median).toBeGreaterThanOrEqual(0);
  });

  it('reports the spread of single runs and how often a model was asked', () => {
    expect(report.methods['recorded:oak']!.runs!.accuracy).toEqual([0.75, 0.5, 0.5, 0.5, 0.5]);
    expect(report.methods['recorded:oak']!.asked_model).toBe(4);
    expect(report.methods['hybrid:oak']!.asked_model).toBeLessThan(4);
    expect(report.methods['contracts']).toMatchObject({ runs: null, asked_model: null });
  });

  it('says what the ladder saves beside asking every time', () => {
    const saved = report.savings['hybrid:oak']!;
    expect(saved.never_asked).toBe(0.5);
    expect(saved.tokens_per_100).toBeLessThan(saved.tokens_per_100_every_time);
    expect(saved.saved).toBeCloseTo(1 - saved.tokens_per_100 / saved.tokens_per_100_every_time, 9);
  });

  it('chooses the rule of the hybrid anew in every fold, and says how it does there', () => {
    const {
      in_sample: inSample,
      by_pair: byPair,
      by_model: byModel,
    } = report.cross_validation['hybrid:oak']!;
    const { n, accuracy, false_alarms } = report.methods['hybrid:oak']!;
    expect(inSample).toEqual({ n, accuracy, false_alarms });
    expect(byPair.n).toBe(4);
    expect(Object.values(byPair.chosen).reduce((sum, times) => sum + times)).toBe(2);
    expect(byModel).toBeNull();
  });

  it('leaves out, in each group, the checks that only this group called for', () => {
    const { left_out: left } = report;
    const spoken = new Set(
      report.predictions.flatMap(({ method, checks }) => (method === 'contracts' ? (checks ?? []) : [])),
    );
    expect(left).toEqual({
      n: 4,
      accuracy: 0.5,
      false_alarms: 0,
      checks: spoken.size,
      in_one_case: [...spoken].sort(),
    });
  });

  it('is plain JSON', () => {
    expect(JSON.parse(JSON.stringify(report))).toEqual(report);
    expect(report).toMatchObject({ benchmark: 'junobench', data });
  });

  it('renders one page that needs nothing else', () => {
    const page = renderJunobenchHtml(report);
    expect(page).toContain('garden_1_reproduced');
    expect(page).toContain('hybrid:oak');
    expect(page).not.toMatch(/<script|src=|href=/);
  });

  it('renders every section', () => {
    const text = renderJunobench(report);
    for (const part of [
      'Detection:',
      'diagnosis',
      'recorded:oak:code',
      'crash type',
      'McNemar',
      'ladder saves',
      'every fold',
    ])
      expect(text).toContain(part);
  });

  it('finds a model by another spelling of its folder', async () => {
    const { methods } = await runJunobench({ data, methods: ['recorded:OAK', 'hybrid:oa'] });
    expect(methods['recorded:OAK']).toMatchObject({ n: 4, accuracy: 0.5 });
    expect(methods['hybrid:oa']).toMatchObject({ n: 4, false_alarms: 0 });
  });

  it('says which methods there are when one is not known', async () => {
    const refusal = runJunobench({ data, methods: ['recorded:elm'] });
    await expect(refusal).rejects.toSatisfy(
      (error) => GrusError.isInstance(error) && error.advice.includes('recorded:oak'),
    );
  });

  it('says what is missing from a folder', async () => {
    await expect(runJunobench({ data: join(data, 'nowhere') })).rejects.toThrow(/labels\.json/);
  });
});
