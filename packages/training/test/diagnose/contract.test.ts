// The promises others build on: the fields of the answer, the sizes of the rule sets, the thresholds, the reasons for abstaining, and
// that the first cause outweighs what followed from it.
import { describe, expect, it } from 'vitest';
import { examine, learningVector } from '../../src/detectors/examine.js';
import { diagnose, diagnoseRecord } from '../../src/diagnose/diagnose.js';
import { featureTable } from '../../src/features/extract.js';
import { rules } from '../../src/rules/decision-list.js';
import { triage } from '../../src/triage/hybrid.js';
import { rows, runOf, wobble } from '../run-files.js';

const traceback = (error: string, file = 'train.py'): string =>
  `Traceback (most recent call last):\n  File "${file}", line 7, in <module>\n    main()\n${error}\n`;

describe('the answer', () => {
  it('has exactly the documented fields', async () => {
    const diagnosis = diagnoseRecord(
      await runOf({ 'train.log': traceback('RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB') }),
    );
    expect(Object.keys(diagnosis)).toEqual([
      'path',
      'outcome',
      'category',
      'subcause',
      'confidence',
      'abstained',
      'onset_step',
      'evidence',
      'remedies',
      'hypotheses',
      'rungs',
      'ms',
    ]);
    expect(diagnosis.hypotheses[0]).toEqual({
      category: 'memory_hardware',
      subcause: 'gpu_capacity',
      confidence: diagnosis.confidence,
    });
    for (const rung of diagnosis.rungs)
      expect(Object.keys(rung)).toEqual(['rung', 'outcome', 'ms', 'abstained_because', 'reason']);
  });

  it('fails with advice when there is nothing to read', async () => {
    await expect(diagnose('/nowhere/at/all')).rejects.toMatchObject({ advice: expect.any(String) });
  });
});

describe('the rule sets', () => {
  it('begin with 23 fixed rules', () => {
    expect(rules).toHaveLength(23);
  });

  it("hold the study's 19 features: 8, 4, 4 and 3", () => {
    const count = (family: string): number =>
      featureTable.filter((feature) => feature.study && feature.family === family).length;
    expect(['dynamics', 'memory', 'data', 'configuration'].map(count)).toEqual([8, 4, 4, 3]);
    for (const feature of featureTable) expect(feature.definition.length, feature.name).toBeGreaterThan(20);
  });
});

describe('root and cascade', () => {
  it('takes the first exception of a chain', async () => {
    const chain = `${traceback('ValueError: mat1 and mat2 shapes cannot be multiplied (8x4 and 5x2)')}\nDuring handling of the above exception, another exception occurred:\n\n${traceback('KeyError: "loss"')}`;
    expect(diagnoseRecord(await runOf({ 'train.log': chain })).subcause).toBe('shape_mismatch');
  });

  it('takes the rank that failed first, not those that waited or the launcher', async () => {
    const log = [
      '[rank1]: Traceback (most recent call last):',
      '[rank1]:   File "train.py", line 7, in <module>',
      '[rank1]:     main()',
      '[rank1]: IndexError: Target 10 is out of bounds.',
      '[rank0]: Traceback (most recent call last):',
      '[rank0]:   File "train.py", line 9, in <module>',
      '[rank0]:     main()',
      '[rank0]: RuntimeError: [../third_party/gloo/gloo/transport/tcp/pair.cc:534] Connection closed by peer [127.0.0.1]:1234',
      'torch.distributed.elastic.multiprocessing.errors.ChildFailedError: train.py FAILED',
      '',
    ].join('\n');
    expect(diagnoseRecord(await runOf({ 'train.log': log })).subcause).toBe('label_out_of_range');
  });

  it('never takes advice for evidence', async () => {
    const log = `Namespace(lr=0.001)\n${Array.from({ length: 60 }, (_, i) => `step ${i}: loss=${(2 - i * 0.02 + 0.01 * wobble(i)).toFixed(3)}\n`).join('')}If reserved memory is >> allocated memory try setting max_split_size_mb to avoid fragmentation. CUDA out of memory may be caused by other processes.\nTraining finished.\n`;
    expect(diagnoseRecord(await runOf({ 'train.log': log })).hypotheses).toEqual([]);
  });
});

describe('abstention', () => {
  it('names what is missing', async () => {
    const diagnosis = diagnoseRecord(
      await runOf({ 'train.log': 'max_steps=500\nstep 1: loss=2.1\nstep 2: loss=2.0\nstep 3: loss=2.05\n' }),
    );
    expect(diagnosis.abstained).toBe(true);
    expect(diagnosis.rungs.at(-1)?.abstained_because).toMatch(/^missing: .*how it ended/);
  });

  it('names what conflicts', async () => {
    const run = await runOf({
      'metrics.jsonl': rows(200, (s) => ({
        loss: 2 - s / 300,
        val_loss: s < 100 ? 2 - s / 400 : Number.NaN,
      })),
    });
    expect(diagnoseRecord(run).rungs.at(-1)?.abstained_because).toMatch(/^conflicting: /);
  });
});

describe('triage', () => {
  const halfSure = () =>
    runOf({
      'train.log': `Namespace(num_classes=4, lr=8e-6, optimizer='sgd')\n${Array.from({ length: 200 }, (_, i) => `step ${i}: loss=${(1.386 + 0.01 * wobble(i)).toFixed(4)}\n`).join('')}Training finished.\n`,
    });

  it('lets a learned model refine what the tree half believes', async () => {
    const examination = examine(await halfSure());
    const asked: number[] = [];
    const learned = (answer: Record<string, number>) => ({
      name: 'test',
      predict: (vector: { values: Float64Array }) => {
        asked.push(vector.values.length);
        return answer;
      },
    });
    const alone = triage(examination).judgement;
    expect(alone).toMatchObject({ category: 'optimization', subcause: 'learning_rate_too_low' });
    const agreeing = triage(examination, { learned: learned({ optimization: 0.9, healthy: 0.1 }) }).judgement;
    expect(agreeing.confidence).toBeGreaterThan(alone.confidence);
    const healthy = triage(examination, { learned: learned({ healthy: 0.97 }) }).judgement;
    expect(healthy.abstention?.code).toBe('conflicting-healthy');
    expect(asked).toEqual([
      learningVector(examination).values.length,
      learningVector(examination).values.length,
    ]);
  });

  it('does not ask it about what the tree is sure of', async () => {
    const examination = examine(
      await runOf({ 'train.log': traceback('RuntimeError: expected scalar type Long but found Float') }),
    );
    const learned = {
      name: 'test',
      predict: (): never => {
        throw new Error('asked');
      },
    };
    expect(triage(examination, { learned }).judgement.subcause).toBe('dtype_mismatch');
  });
});
