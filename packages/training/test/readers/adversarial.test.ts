// Whatever lies in a directory: a clear answer or a clear error, never a hang, a crash or unbounded memory.
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GrusError } from '@grus/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RunFollower, readRun } from '../../src/readers/index.js';
import { curve, logOf, runOf, temporaryRun } from './run-of.js';

/** So many times as many random inputs: GRUS_FUZZ=46 makes 100,000 of all such tests together. */
const more = Number(process.env['GRUS_FUZZ'] ?? 1);

describe('input nobody planned for', () => {
  test('a missing path, an empty directory, a binary file: an error that says what to do', async () => {
    for (const path of [
      '/no/such/run',
      temporaryRun({}),
      join(temporaryRun({ 'x.dat': Buffer.alloc(5000) }), 'x.dat'),
    ]) {
      const error = await readRun(path).catch((thrown: unknown) => thrown);
      expect(GrusError.isInstance(error)).toBe(true);
      expect((error as GrusError).advice).toMatch(/^(Give|Check)/);
    }
  });

  test('a log into which a few bytes of anything were written is still a log', async () => {
    const line = 'step 1 loss 2.5 and some more words about it\n';
    const broken = Buffer.concat([Buffer.from(line), Buffer.alloc(12), Buffer.from(line.repeat(3))]);
    expect((await logOf(broken)).text.lines.length).toBeGreaterThan(0);
    const mostly = Buffer.concat([Buffer.from(line), Buffer.alloc(200), Buffer.from(line)]);
    await expect(logOf(mostly)).rejects.toThrow(/no training artefacts/);
  });

  test('an empty log is a run that said nothing', async () => {
    const run = await logOf('');
    expect(run.series).toEqual([]);
    expect(run.notes).toMatchObject([{ kind: 'skipped', text: 'the file is empty' }]);
  });

  test('UTF-16, with and without a mark, and Latin-1', async () => {
    const text = 'iter 1: loss 2.5\niter 2: loss 2.25\nValueError: Größe\n';
    const marked = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
    for (const bytes of [
      marked,
      Buffer.from(text, 'utf16le'),
      Buffer.from(text, 'utf16le').swap16(),
      Buffer.from(text, 'latin1'),
    ]) {
      const run = await logOf(bytes);
      expect([...curve(run, 'loss').values]).toEqual([2.5, 2.25]);
      expect(run.tracebacks[0]!.chain[0]!.message).toBe('Größe');
    }
  });

  test('a line of 40 MB does not stay in memory, and what follows is read', async () => {
    const run = await logOf(`step 1 loss 3\n${'x'.repeat(40_000_000)}\nstep 2 loss 2\n`);
    expect([...curve(run, 'loss').values]).toEqual([3, 2]);
    expect(run.notes).toMatchObject([{ kind: 'long_line', at: { line: 2 } }]);
    expect(curve(run, 'loss').where(1)).toMatchObject({ line: 3 });
    expect(Math.max(...run.text.lines.map((line) => line.text.length))).toBeLessThan(10_000);
  });

  test('control characters and text that imitates a report are only text', async () => {
    const run = await logOf(
      '\u0007\u001b[2J\u001b]0;title\u0007{"outcome": "healthy", "confidence": 1}\nstep 1 loss 2\n',
    );
    expect(run.exits).toEqual([]);
    expect(run.text.lines[0]!.text).toBe('{"outcome": "healthy", "confidence": 1}');
  });

  test('many names do not make many curves', async () => {
    const lines = Array.from({ length: 9000 }, (_, i) => `k${i}x: ${i}\nk${i}x: ${i}\nk${i}x: ${i}`);
    const run = await logOf(lines.join('\n'));
    expect(run.series.length).toBeLessThanOrEqual(1500);
    expect(run.notes.some((note) => note.kind === 'limit')).toBe(true);
  });

  test('a flood of the same error is counted, not kept', async () => {
    const run = await logOf(
      Array.from({ length: 20_000 }, (_, i) => `ERROR: request ${i} failed`).join('\n'),
    );
    expect(run.text.lines.length).toBeLessThan(700);
    expect(run.text.files[0]).toMatchObject({ lines: 20_000 });
  });

  test('JSON lines, CSV and state files that are cut or wrong in the middle', async () => {
    const run = await runOf({
      'metrics.jsonl': '{"step": 1, "loss": 2}\n{not json\n{"step": 2, "loss": NaN}\n{"step": 3, "lo',
      'metrics.csv': 'step,acc\n1,0.5\n2,\n3,nan\n4',
      'trainer_state.json': '{"log_history": [{"step": 1, "grad_norm": Infinity}, {"step": 2, "grad_no',
    });
    expect([...curve(run, 'loss').values]).toEqual([2, Number.NaN]);
    expect([...curve(run, 'accuracy').values]).toEqual([0.5, Number.NaN]);
    expect([...curve(run, 'grad_norm').values]).toEqual([Number.POSITIVE_INFINITY]);
    expect(run.notes.map((note) => note.kind).sort()).toEqual([
      'corrupt',
      'truncated',
      'truncated',
      'truncated',
    ]);
  });

  test('any bytes under any of the known names are read or refused, never thrown at', async () => {
    const names = [
      'a.log',
      'events.out.tfevents.1',
      'run-x.wandb',
      'mlflow.db',
      'trainer_state.json',
      'metrics.csv',
      'm.jsonl',
      'hparams.yaml',
      'history.json',
    ];
    const heads = [
      Buffer.alloc(0),
      Buffer.from(':W&B\xe1\xbe\0', 'latin1'),
      Buffer.from('SQLite format 3\0'),
      Buffer.from('{"loss": [1, '),
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...names),
        fc.constantFrom(...heads),
        fc.uint8Array({ maxLength: 400 }),
        async (name, head, tail) => {
          const outcome = await runOf({ [name]: Buffer.concat([head, tail]) }).catch(
            (error: unknown) => error,
          );
          expect(GrusError.isInstance(outcome) || (outcome as { series: unknown }).series !== undefined).toBe(
            true,
          );
        },
      ),
      { numRuns: 150 * more },
    );
  });
});

describe('following', () => {
  test('what is added is read once; a rewritten file again; a new file is found', async () => {
    const root = temporaryRun({
      'train.log': 'step 1 loss 3\nstep 2 lo',
      'metrics.csv': 'step,acc\n1,0.1\n',
    });
    const follower = new RunFollower(root);
    const first = await follower.poll();
    expect(curve(first!, 'loss').length).toBe(1);
    expect(await follower.poll()).toBeNull();
    appendFileSync(
      join(root, 'train.log'),
      'ss 2.5\nTraceback (most recent call last):\n  File "a.py", line 1, in f\nValueError: x\n',
    );
    writeFileSync(join(root, 'metrics.csv'), 'step,acc,val_loss\n1,0.1,\n2,0.2,1.5\n');
    writeFileSync(join(root, 'events.jsonl'), '{"step": 2, "grad_norm": 7}\n');
    const second = await follower.poll();
    expect([...curve(second!, 'loss').values]).toEqual([3, 2.5]);
    expect([...curve(second!, 'accuracy').values]).toEqual([0.1, 0.2]);
    expect(curve(second!, 'grad_norm').values[0]).toBe(7);
    expect(follower.finish().tracebacks).toMatchObject([{ chain: [{ message: 'x' }] }]);
  });
});
