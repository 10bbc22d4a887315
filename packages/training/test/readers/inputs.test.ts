// What people have in hand: each of these says the same as the log it was made from.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { diagnose, diagnoseRecord } from '../../src/diagnose/diagnose.js';
import { judgeSeveral } from '../../src/diagnose/several.js';
import { understoodOf } from '../../src/diagnose/understood.js';
import { findRuns, readFiles, readRun } from '../../src/readers/index.js';
import { temporaryRun } from './run-of.js';

const outOfMemory = [
  'Traceback (most recent call last):',
  '  File "/home/anna/project/train.py", line 88, in <module>',
  '    loss = model(batch["input_ids"].to("cuda"), labels=batch["labels"].to("cuda")).loss',
  '           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^',
  'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 12.00 GiB. GPU 0 has a total capacity of 23.65 GiB of which 2.10 GiB is free. Including non-PyTorch memory, this process has 21.50 GiB memory in use. Of the allocated memory 20.90 GiB is allocated by PyTorch, and 120.00 MiB is reserved by PyTorch but unallocated.',
];

async function causeOf(text: string | Buffer, name = 'train.log'): Promise<string | null> {
  return (await diagnose(join(temporaryRun({ [name]: text }), name))).subcause;
}

describe('pasted text', () => {
  const text = `${outOfMemory.join('\n')}\n`;

  it('is read as it was printed', async () => {
    expect(await causeOf(text)).toBe('gpu_capacity');
  });

  it('is read behind the marks of an e-mail', async () => {
    expect(await causeOf(text.replace(/^/gm, '> '))).toBe('gpu_capacity');
    expect(await causeOf(text.replace(/^/gm, '> > '))).toBe('gpu_capacity');
  });

  it.each([60, 72, 80, 100])('is joined again after it was wrapped at %i columns', async (width) => {
    expect(await causeOf(wrapWords(text, width))).toBe('gpu_capacity');
    expect(await causeOf(wrapHard(text, width))).toBe('gpu_capacity');
  });

  it('keeps the numbers of the lines it joins', async () => {
    const wrapped = wrapWords(text, 72);
    const last = wrapped
      .trimEnd()
      .split('\n')
      .findIndex((line) => line.startsWith('torch.OutOfMemoryError'));
    const record = await readRun(join(temporaryRun({ 'a.log': wrapped }), 'a.log'));
    expect(record.device[0]?.at).toMatchObject({ line: last + 1 });
  });

  it('is read with an indentation, and with colours whose escapes were lost', async () => {
    expect(await causeOf(text.replace(/^/gm, '    '))).toBe('gpu_capacity');
    const coloured = text.replace('torch.OutOfMemoryError', '[1;31mtorch.OutOfMemoryError[0m');
    expect(await causeOf(coloured)).toBe('gpu_capacity');
  });

  it('is enough as one line', async () => {
    expect(await causeOf('RuntimeError: mat1 and mat2 shapes cannot be multiplied (32x784 and 512x10)')).toBe(
      'shape_mismatch',
    );
  });

  it('is left alone when nothing was done to it', async () => {
    const settled = "Namespace(lr=0.05, optimizer='sgd', batch_size=32, num_classes=4)\nTraining finished.\n";
    const record = await readRun(join(temporaryRun({ 'a.log': settled }), 'a.log'));
    expect(record.notes.filter(({ kind }) => kind === 'repaired')).toEqual([]);
  });

  it('keeps ranks apart that wrote through each other', async () => {
    const other = [
      'Traceback (most recent call last):',
      '  File "train.py", line 9, in <module>',
      'RuntimeError: Connection reset by peer',
    ];
    const mixed = outOfMemory.flatMap((line, at) => [
      `[rank0]: ${line}`,
      ...(other[at] === undefined ? [] : [`[rank1]: ${other[at]}`]),
    ]);
    expect(await causeOf(mixed.join('\n'))).toBe('gpu_capacity');
  });
});

describe('compressed logs', () => {
  const text = Buffer.from(`${outOfMemory.join('\n')}\n`);

  it('are unpacked, in a folder and by themselves, and say so', async () => {
    const folder = temporaryRun({ 'train.log.gz': gzipSync(text) });
    expect((await diagnose(folder)).subcause).toBe('gpu_capacity');
    const found = await findRuns(join(folder, 'train.log.gz'));
    expect(understoodOf(found.kind, await readFiles(found.whole)).repaired).toEqual(['unpacked from gzip']);
    expect(await causeOf(zstd(text), 'train.log.zst')).toBe('gpu_capacity');
  });

  it('are read as far as they go when they are cut', async () => {
    const long = Buffer.from(`${outOfMemory.join('\n')}\n${'a line of no account\n'.repeat(50_000)}`);
    const packed = gzipSync(long);
    const folder = temporaryRun({ 'train.log.gz': packed.subarray(0, packed.length - 100) });
    const record = await readRun(folder);
    expect(record.tracebacks).toHaveLength(1);
    expect(record.notes.map(({ kind }) => kind)).toContain('truncated');
    const broken = await readRun(
      temporaryRun({ 'a.log.zst': Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 1, 2, 3]) }),
    );
    expect(broken.notes.map(({ kind }) => kind)).toContain('truncated');
  });
});

describe('files that belong together', () => {
  it('are read together: the two streams of a job', async () => {
    const steps = Array.from({ length: 30 }, (_, step) => `step ${step} loss ${3 - step / 20}\n`).join('');
    const folder = temporaryRun({ 'slurm-4711.out': steps, 'slurm-4711.err': outOfMemory.join('\n') });
    const found = await findRuns(join(folder, 'slurm-4711.out'));
    expect(found.kind).toBe('pair');
    const diagnosis = diagnoseRecord(await readFiles(found.whole));
    expect(diagnosis).toMatchObject({ outcome: 'failed', category: 'memory_hardware' });
    expect((await findRuns(folder)).runs).toHaveLength(1);
  });

  it('are one run: every run that was recorded', async () => {
    const recorded = join(import.meta.dirname, '../../../../scenarios/recorded');
    const runs = readdirSync(recorded).filter((name) => statSync(join(recorded, name)).isDirectory());
    for (const run of runs) expect((await findRuns(join(recorded, run))).runs, run).toHaveLength(1);
    expect((await findRuns(recorded)).runs).toHaveLength(runs.length);
  });
});

describe('a folder of several runs', () => {
  const healthy = Array.from(
    { length: 40 },
    (_, step) => `step ${step} loss ${(3 / (1 + step)).toFixed(4)} lr 0.001\n`,
  ).join('');

  it('gives each its own verdict', async () => {
    const folder = temporaryRun({
      'a/train.log': `${healthy}${outOfMemory.join('\n')}\n`,
      'a/checkpoints/trainer_state.json': '{"log_history": []}',
      'b/train.log': `${healthy}RuntimeError: mat1 and mat2 shapes cannot be multiplied (32x784 and 512x10)\n`,
      'c/logs/train.log': `${healthy}Training finished.\n`,
      'summary.csv': 'run,score\na,1\n',
    });
    const judged = await judgeSeveral(await findRuns(folder), (record) => diagnoseRecord(record));
    expect(
      judged?.map(({ run, diagnosis }) => [run.path.slice(folder.length + 1), diagnosis.category]),
    ).toEqual([
      ['a', 'memory_hardware'],
      ['b', 'model_software'],
      ['c', expect.stringMatching(/healthy|unknown/)],
    ]);
  });

  it('takes logs side by side for runs, and the files of one run for one', async () => {
    const logs = temporaryRun({
      'slurm-1.out': healthy,
      'slurm-1.err': '',
      'slurm-2.out': outOfMemory.join('\n'),
    });
    expect((await findRuns(logs)).runs.map(({ files }) => files.length)).toEqual([2, 1]);
    const one = temporaryRun({
      'train.log': healthy,
      'eval.log': healthy,
      'rank_1.log': healthy,
      'metrics.csv': 'step,loss\n1,2\n',
      'nvidia-smi.csv': 'a,b\n',
    });
    expect((await findRuns(one)).runs).toHaveLength(1);
  });

  it('takes tables for one run that are named by what they count or measure, not those named by what was tried', async () => {
    const table = 'step,loss\n1,2\n';
    const one = temporaryRun({ 'steps.csv': table, 'per_epoch.csv': table, 'grad_norms.csv': table });
    expect((await findRuns(one)).runs).toHaveLength(1);
    const three = temporaryRun({ 'batch_32.csv': table, 'batch_64.csv': table, 'batch_128.csv': table });
    expect((await findRuns(three)).runs).toHaveLength(3);
  });

  it('is one run where a log and a table of another name tell the same numbers, and two where they tell others', async () => {
    const ppl = (epoch: number, shift: number) => 6 + 22 * Math.exp(-epoch / 2) + shift;
    const files = (shift: number) => ({
      'lm_train.log': Array.from(
        { length: 8 },
        (_, e) => `| epoch ${e} | ppl ${ppl(e, 0).toFixed(2)} |\n`,
      ).join(''),
      'ppl.csv': `epoch,train_ppl\n${Array.from({ length: 8 }, (_, e) => `${e},${ppl(e, shift).toFixed(4)}\n`).join('')}`,
    });
    const runsIn = async (shift: number) =>
      (await judgeSeveral(await findRuns(temporaryRun(files(shift))), (record) => diagnoseRecord(record)))
        ?.length ?? 1;
    expect([await runsIn(0), await runsIn(0.4)]).toEqual([1, 2]);
  });

  it('is two runs where a log and a table share a schedule or a level alone', async () => {
    const row = (at: number) => (0.0009 * 0.9 ** at).toExponential(3);
    const runs = (loss: (at: number) => number, other: (at: number) => number) => ({
      'a.log': Array.from(
        { length: 9 },
        (_, at) => `epoch ${at} loss ${loss(at).toFixed(4)} lr ${row(at)}\n`,
      ).join(''),
      'b.csv': `epoch,loss,lr\n${Array.from({ length: 9 }, (_, at) => `${at},${other(at).toFixed(4)},${row(at)}\n`).join('')}`,
    });
    const found = async (files: Readonly<Record<string, string>>) =>
      (await judgeSeveral(await findRuns(temporaryRun(files)), (record) => diagnoseRecord(record)))?.length;
    expect(
      await found(
        runs(
          (at) => 2 / (1 + at),
          (at) => 4.9 - 0.1 * at,
        ),
      ),
    ).toBe(2);
    const level = (at: number) => 0.712 + 0.0002 * Math.sin(at);
    expect(await found(runs(level, level))).toBe(2);
  });

  it('is one run when only one part tells of training', async () => {
    const folder = temporaryRun({ 'mnist.log': healthy, 'shopping.txt': 'milk\nbread\n' });
    expect(await judgeSeveral(await findRuns(folder), (record) => diagnoseRecord(record))).toBeNull();
  });
});

describe('a notebook', () => {
  const cell = (source: string, ...outputs: object[]) => ({
    cell_type: 'code',
    metadata: {},
    execution_count: 1,
    source,
    outputs,
  });
  const stream = (text: string) => ({ output_type: 'stream', name: 'stdout', text: text.split(/(?<=\n)/) });
  const notebook = (...cells: object[]) =>
    JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata: {}, cells });
  const steps = Array.from(
    { length: 20 },
    (_, epoch) => `epoch ${epoch} loss ${(2.3 / (1 + epoch)).toFixed(4)}\n`,
  ).join('');

  it('is read from what its training cells printed', async () => {
    const text = notebook(
      { cell_type: 'markdown', source: '# Training', metadata: {} },
      cell('import torch\nprint(torch.__version__)', stream('2.9.0\n')),
      cell('for epoch in range(20):\n    loss.backward()', stream(steps), {
        output_type: 'error',
        ename: 'RuntimeError',
        evalue: 'mat1 and mat2 shapes cannot be multiplied (32x784 and 512x10)',
        traceback: [
          '\u001b[31m---------------------------------------------------------------------------\u001b[39m',
          '\u001b[31mRuntimeError\u001b[39m                              Traceback (most recent call last)',
          '\u001b[36mCell\u001b[39m\u001b[36m \u001b[39m\u001b[32mIn[3]\u001b[39m\u001b[32m, line 2\u001b[39m\n      1 for epoch in range(20):\n----> 2     model(x)\n',
          '\u001b[31mRuntimeError\u001b[39m: mat1 and mat2 shapes cannot be multiplied (32x784 and 512x10)',
        ],
      }),
    );
    const diagnosis = await diagnose(join(temporaryRun({ 'train.ipynb': text }), 'train.ipynb'));
    expect(diagnosis).toMatchObject({ outcome: 'failed', subcause: 'shape_mismatch' });
    expect(diagnosis.evidence[0]!.file).toBe('train.ipynb cell 2');
  });

  it('gives each of several training cells its verdict, and reads tables and settings', async () => {
    const table =
      '<table><thead><tr><th>Step</th><th>Training Loss</th></tr></thead><tbody><tr><td>500</td><td>0.9</td></tr><tr><td>1000</td><td>0.4</td></tr></tbody></table>';
    const text = notebook(
      cell('optimizer = torch.optim.SGD(model.parameters(), lr=0.1)'),
      cell('trainer.train()', { output_type: 'display_data', data: { 'text/html': [table] }, metadata: {} }),
      cell('model.fit(x, y)', stream(`${outOfMemory.join('\n')}\n`)),
    );
    const found = await findRuns(join(temporaryRun({ 'train.ipynb': text }), 'train.ipynb'));
    expect(found.runs).toHaveLength(2);
    const record = await readFiles(found.runs[0]!);
    expect(record.series.find(({ metric }) => metric === 'loss')?.values).toHaveLength(2);
    expect(record.settings.map(({ key, value }) => [key, value])).toEqual([
      ['lr', 0.1],
      ['optimizer', 'SGD'],
    ]);
  });

  it('is refused with advice when it holds nothing', async () => {
    const folder = temporaryRun({ 'empty.ipynb': notebook(cell('x = 1')), 'broken.ipynb': 'no json' });
    await expect(findRuns(join(folder, 'empty.ipynb'))).rejects.toMatchObject({ advice: expect.any(String) });
    await expect(findRuns(join(folder, 'broken.ipynb'))).rejects.toMatchObject({
      advice: expect.any(String),
    });
  });
});

describe('a pipe', () => {
  it('is read once, packed or not', async () => {
    const text = Buffer.from(`${outOfMemory.join('\n')}\n`);
    for (const bytes of [text, gzipSync(text)]) {
      const stream = Readable.from([bytes.subarray(0, 100), bytes.subarray(100)]);
      const file = { path: 'stdin', absolute: '-', size: 0, modified: 0, stream };
      expect(diagnoseRecord(await readFiles({ path: '-', files: [file] }, { single: true })).subcause).toBe(
        'gpu_capacity',
      );
    }
  });
});

function wrapWords(text: string, width: number): string {
  return text
    .split('\n')
    .map((line) => {
      const pieces: string[] = [];
      let rest = line;
      while (rest.length > width) {
        const at = rest.lastIndexOf(' ', width);
        const indent = rest.length - rest.trimStart().length;
        if (at <= indent) break;
        pieces.push(rest.slice(0, at));
        rest = rest.slice(at + 1);
      }
      return [...pieces, rest].join('\n');
    })
    .join('\n');
}

function wrapHard(text: string, width: number): string {
  return text
    .split('\n')
    .map((line) => line.match(new RegExp(`.{1,${width}}`, 'g'))?.join('\n') ?? '')
    .join('\n');
}

/** A frame of one block that holds the bytes as they are: what `zstd` writes for what it cannot shrink. */
function zstd(bytes: Buffer): Buffer {
  const header = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0, 0, 0, 0]);
  header.writeUInt32LE(bytes.length, 5);
  const block = Buffer.alloc(3);
  block.writeUIntLE((bytes.length << 3) | 1, 0, 3);
  return Buffer.concat([header, block, bytes]);
}
