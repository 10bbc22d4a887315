// Watches recorded runs grow again: healthy ones must stay without a warning, failing ones are announced.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { replay } from './replay.js';

const runs = join(import.meta.dirname, '../fixtures/runs');
const labels = JSON.parse(readFileSync(join(runs, 'labels.json'), 'utf8')) as Record<
  string,
  { category: string }
>;
const healthy = Object.keys(labels).filter((name) => labels[name]!.category === 'healthy');

describe('healthy runs', () => {
  it('are among the fixtures', () => expect(healthy.length).toBeGreaterThan(10));

  it.each(healthy)('%s passes without a warning', async (name) => {
    expect(await replay(join(runs, name))).toEqual([]);
  });
});

describe('failing runs', () => {
  it.each([
    ['plain_torch-nan_in_batch', 'non-finite', 'nan_in_data'],
    ['hugging_face-masked_nan', 'non-finite', null],
    ['plain_torch-recurrent_explosion', 'loss-rise', 'divergence'],
    ['plain_torch-weights_decay_away', 'loss-rise', 'divergence'],
    ['plain_torch-loss_scale_collapse', 'loss-scale-fall', 'loss_scale_collapse'],
    ['plain_torch-every_target_ignored', 'detected', 'ignored_targets'],
    ['plain_torch-one_class_only', 'detected', 'degenerate_labels'],
  ])('%s is announced by %s', async (name, warning, subcause) => {
    const first = (await replay(join(runs, name))).find((given) => given.warning === warning);
    expect(first).toMatchObject({ warning, subcause });
    expect(first!.precision?.precision).toBeGreaterThan(0.5);
    expect(first!.evidence.length).toBeGreaterThan(0);
  });
});
