// The whole benchmark on a small folder of our own: methods, the JSON contract, the rendering, and what a user sees when
// the folder or a method name is wrong.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { GrusError } from '@grus/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Junobench } from '../../src/junobench/data/load.js';
import { availableMethods } from '../../src/junobench/methods/names.js';
import { type JunobenchReport, runJunobench } from '../../src/junobench/run.js';
import { renderJunobench } from '../../src/report/junobench.js';
import { renderJunobenchHtml } from '../../src/report/junobench-html.js';

const label = {
  library_group: 'pandas',
  library: 'pandas',
  root_cause: 'data confusion',
  pipeline_stage: 'data preparation',
};
const labels = [
  {
    ...label,
    case: 'garden_1',
    exception: 'attributeerror',
    message: "'numpy.ndarray' object has no attribute 'water'",
    crash_type: 'attribute error',
    diagnosis: "Crash occurs at bed.water() because bed is an array and has no attribute 'water'.",
  },
  {
    ...label,
    case: 'garden_2',
    exception: 'valueerror',
    message: 'shapes (3,4) and (3,4) not aligned',
    crash_type: 'tensor shape mismatch',
    diagnosis: 'np.dot(soil, soil) multiplies arrays whose shapes do not fit.',
  },
];

function input(executed: string, runtime: string, target: string): string {
  return `# Executed Cells:\n## Cell 1:\n\n${executed}\n\n# Current relevent runtime information:\n${runtime}\n# Target Cell:\n\n${target}\n`;
}

const array = "{'dtype': 'float64', 'has_nan': False, 'shape': (3, 4), 'type': 'numpy.ndarray'}";
const numpy = `'__method__np_dot': {'type': "<class 'function'>"}, 'np': {'type': "<class 'module'>"}`;
const inputs: Record<string, string> = {
  garden_1_reproduced: input('bed = plant()', `{'bed': ${array}}`, 'bed.water()'),
  garden_1_fixed: input(
    'bed = plant()',
    `{'__method__bed_sum': {'type': "<class 'method'>"}, 'bed': ${array}}`,
    'bed.sum()',
  ),
  garden_2_reproduced: input(
    'import numpy as np\nsoil = dig()',
    `{${numpy}, 'soil': ${array}}`,
    'np.dot(soil, soil)',
  ),
  garden_2_fixed: input(
    'import numpy as np\nsoil = dig()',
    `{${numpy}, '__method__soil_T': ${array.replace('(3, 4)', '(4, 3)')}, 'soil': ${array}}`,
    'np.dot(soil, soil.T)',
  ),
};

const wrong = { detection: false, reasoning: 'Everything is defined.' };
const answers: Record<string, unknown[]> = {
  garden_1_reproduced: [wrong, wrong, wrong, wrong, wrong],
  garden_1_fixed: [wrong, wrong, wrong, wrong, { detection: true, reasoning: 'May fail.' }],
  garden_2_reproduced: Array.from(
    { length: 5 },
    () =>
      '```json\n{"reasoning": "np.dot(soil, soil) has shapes that are not aligned", "detection": true}\n```',
  ),
  garden_2_fixed: [
    wrong,
    { detection: 'True', reasoning: 'np.dot fails.' },
    { detection: true, reasoning: 'np.dot fails.' },
    "{'detection': True, 'reasoning': 'np.dot fails.'}",
    'I cannot tell.',
  ],
};

let data: string;
let report: JunobenchReport;

function write(path: string, content: string): void {
  const file = join(data, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), 'grus-junobench-'));
  write('labels.json', JSON.stringify(labels));
  for (const [id, text] of Object.entries(inputs)) {
    write(`inputs/code+runtime/pandas/${id}.txt`, text);
    write(`responses/oak/code+runtime/${id}.json`, JSON.stringify(answers[id]));
    write(`responses/oak/code/${id}.json`, JSON.stringify([wrong, wrong, wrong]));
    write(`analyzers/pyright/${id}.json`, '[]');
  }
  write(
    'analyzers/pyright/garden_1_reproduced.json',
    JSON.stringify([
      { code_line: '1: bed.water()', message: 'Cannot access attribute "water" for bed', severity: 'error' },
    ]),
  );
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
    for (const part of ['Detection:', 'diagnosis', 'recorded:oak:code', 'crash type', 'McNemar'])
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
