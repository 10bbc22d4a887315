// Small signs that settle whose fault it was: each beside a job that says nearly the same and means something else.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { diagnoseRecord, findRuns, judgeSeveral, readFiles } from '../../src/index.js';

type Files = Readonly<Record<string, string>>;

async function judged(files: Files) {
  const folder = await mkdtemp(join(tmpdir(), 'grus-signs-'));
  try {
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    const found = await findRuns(folder);
    const several = await judgeSeveral(found, (record) => diagnoseRecord(record));
    if (several) return { runs: several.length };
    const { outcome, subcause, action, ranks } = diagnoseRecord(await readFiles(found.whole));
    return { outcome, subcause, action, first: ranks?.first?.rank ?? null };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const upTo = (count: number) => Array.from({ length: count }, (_, at) => at);
const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');
const loss = (rank: number, step: number) => (2.4 - step / 60 + rank / 40 + (step % 3) / 50).toFixed(4);
const stepsOf = (ranks: number, count: number) =>
  upTo(count).flatMap((step) =>
    upTo(ranks).map((rank) => `${rank}: tag[${rank}] step ${step + 1}/${count} loss ${loss(rank, step)}`),
  );
const raised = (rank: number, line: number, code: string, error: string, frames: readonly string[] = []) =>
  [
    'Traceback (most recent call last):',
    '  File "/home/ida/tag/run.py", line 77, in <module>',
    '    main()',
    `  File "/home/ida/tag/run.py", line ${line}, in main`,
    `    ${code}`,
    ...frames,
    error,
  ].map((told) => `${rank}: [rank${rank}]: ${told}`);

describe('a key of the store that every rank waits for', () => {
  const waits = (rank: number) =>
    raised(
      rank,
      61,
      'name = store.get("sweep/name").decode()',
      'torch.distributed.DistStoreError: wait timeout after 90000ms, keys: /default_pg/0//sweep/name',
    );
  const lost = raised(
    2,
    61,
    'name = store.get("sweep/name").decode()',
    'torch.distributed.DistNetworkError: Connection reset by peer',
  );

  it('is set by none of them, and none is first, though one only lost the store', async () => {
    const job = text([...stepsOf(3, 9), ...waits(0), ...waits(1), ...lost]);
    expect(await judged({ 'tag.out': job })).toEqual({
      outcome: 'failed',
      subcause: 'collective_mismatch',
      action: 'fix_code',
      first: null,
    });
  });

  it('was not set by the rank that failed before', async () => {
    const failed = raised(0, 58, 'names = json.load(f)', 'ValueError: sweep file holds no name');
    const job = text([...stepsOf(3, 9), ...failed, ...waits(1), ...lost]);
    expect(await judged({ 'tag.out': job })).toMatchObject({ outcome: 'failed', first: 0 });
  });
});

describe('two ranks on one device', () => {
  const job = (places: readonly (readonly [number, number])[]) =>
    text([
      ...places.map(
        ([local, device], rank) =>
          `${rank}: up host=w${rank >> 1} rank=${rank} LOCAL_ID=${local} device=cuda:${device}`,
      ),
      ...[2, 3].flatMap((rank) =>
        raised(
          rank,
          31,
          'net = DDP(net, device_ids=[device])',
          'torch.distributed.DistBackendError: NCCL error in: ../torch/csrc/distributed/c10d/NCCLUtils.hpp:328, invalid usage (run with NCCL_DEBUG=WARN for details), NCCL version 2.22.3',
        ).concat(
          `${rank}: [rank${rank}]: ncclInvalidUsage: This usually reflects invalid usage of NCCL library.`,
          `${rank}: [rank${rank}]: Last error:`,
          `${rank}: [rank${rank}]: Duplicate GPU detected : rank ${rank} and rank ${5 - rank} both on CUDA device 7000`,
        ),
      ),
    ]);

  it('is of the rank whose device is not the one of its number', async () => {
    const places = [
      [0, 0],
      [1, 1],
      [0, 0],
      [1, 0],
    ] as const;
    expect(await judged({ 'seg.out': job(places) })).toMatchObject({ action: 'fix_code', first: 3 });
  });

  it('is of none where all took the device of their number, which was given twice', async () => {
    const places = [
      [0, 0],
      [1, 1],
      [0, 0],
      [0, 0],
    ] as const;
    expect(await judged({ 'seg.out': job(places) })).toMatchObject({ action: 'fix_code', first: null });
  });
});

describe('a sum that stands still on one rank', () => {
  const job = (value: (rank: number, step: number) => number) =>
    text(
      upTo(16).flatMap((step) =>
        upTo(4).map((rank) =>
          JSON.stringify({
            rank,
            step: step * 5,
            loss: Number(loss(rank, step)),
            sums: { params: 40 + step * 0.7, buffers: value(rank, step) },
          }),
        ),
      ),
    );
  const moving = (rank: number, step: number) => 11 + step * 0.9 + rank / 31;

  it('is what that rank no longer renews', async () => {
    const stuck = job((rank, step) => moving(rank, rank === 1 ? Math.min(step, 6) : step));
    expect(await judged({ 'all.jsonl': stuck })).toMatchObject({ subcause: 'replica_drift', first: 1 });
  });

  it('is looked for only in steps that each rank told once', async () => {
    const lines = job(moving).split('\n');
    const twice = lines.map((line, at) => (at % 8 === 3 ? line.replace('"rank":3', '"rank":1') : line));
    expect((await judged({ 'all.jsonl': text(twice.slice(0, -1)) })).outcome).not.toBe('failed');
  });

  it('is nothing where all are their own, or where the rank holds another part, which is frozen', async () => {
    expect((await judged({ 'all.jsonl': job(moving) })).outcome).not.toBe('failed');
    const part = job((rank, step) => (rank + 1) * moving(rank, rank === 1 ? Math.min(step, 6) : step));
    const { outcome, first } = await judged({ 'all.jsonl': part });
    expect([outcome === 'failed' || outcome === 'degraded', first]).toEqual([false, null]);
  });
});

describe('the speed at which each rank sends', () => {
  const job = (speed: (rank: number, step: number) => number): Files =>
    Object.fromEntries(
      upTo(4).map((rank) => [
        `k${rank}.log`,
        text(
          upTo(14).map(
            (step) =>
              `k${rank} rank ${rank} step ${step} loss ${loss(0, step)} sent to ${(rank + 1) % 4} at ${speed(rank, step).toFixed(1)} MB/s`,
          ),
        ),
      ]),
    );

  it('is a slow link where one is far below the worst of all others', async () => {
    const slow = job((rank, step) => (rank === 1 ? 2 : 180) + (step % 4));
    expect(await judged(slow)).toMatchObject({ subcause: 'slow_link', action: 'exclude_node', first: 1 });
  });

  it('is nothing where it only varies', async () => {
    const varying = job((rank, step) => (rank === 1 ? 60 : 180) + 20 * (step % 4));
    const { outcome } = await judged(varying);
    expect(outcome === 'failed' || outcome === 'degraded').toBe(false);
  });
});

describe('an attempt that goes on from the checkpoint of the one before', () => {
  const rows = (from: number) =>
    upTo(3).map((at) => `0: {'loss': ${loss(0, from + at)}, 'epoch': ${((from + at) / 7).toFixed(2)}}`);
  const first = text([
    '0: running with 4 processes',
    ...rows(1),
    '0: saved model to /out/tag/checkpoint-36',
    'slurmstepd: error: *** STEP 310.0 ON q2 CANCELLED AT 2026-04-02T07:12:40 DUE TO PREEMPTION ***',
  ]);
  const second = (from: string) =>
    text([`0: ${from}`, ...rows(4), "0: {'train_runtime': 41.2, 'train_loss': 1.9221, 'epoch': 1.0}"]);

  it('is the one that counts', async () => {
    const files = { 'slurm-310.out': first, 'slurm-310_requeue1.out': second('resuming from checkpoint-36') };
    expect(await judged(files)).toMatchObject({ outcome: expect.stringMatching(/^(?:healthy|unknown)$/) });
  });

  it('is another run where it began anew', async () => {
    const files = { 'slurm-310.out': first, 'slurm-310_requeue1.out': second('starting from scratch') };
    expect(await judged(files)).toEqual({ runs: 2 });
  });
});

describe('a traceback without a mark', () => {
  const front = (at: number, level: string, place: string) =>
    `2026-04-02 07:1${at}:05.120 | ${level.padEnd(8)} | vis.loop:${place} -`;
  const error = [
    'Traceback (most recent call last):',
    '  File "/opt/vis/loop.py", line 90, in step',
    '    mask = self.masks[name]',
    "KeyError: 'seg_77'",
  ];
  const steps = upTo(5).flatMap((at) =>
    upTo(3).map((rank) => `${front(at, 'INFO', 'step:120')} rank=${rank} step=${at} loss=${loss(rank, at)}`),
  );

  it('is of the rank whose logger announced it in the line before', async () => {
    const told = `${front(6, 'ERROR', 'run:71')} rank=2 the step failed`;
    const job = text([...steps, told, ...error]);
    expect(await judged({ 'vis.log': job })).toMatchObject({ outcome: 'failed', first: 2 });
  });

  it('is of nobody where that line only goes on', async () => {
    const told = `${front(6, 'WARNING', 'run:71')} rank=2 batch is small`;
    const job = text([...steps, told, ...error]);
    expect(await judged({ 'vis.log': job })).toMatchObject({ outcome: 'failed', first: null });
  });
});

describe('ranks that are not all there', () => {
  const joined = (rank: number, host: string) =>
    text([
      `fit[${rank}] host ${host} pid ${4410 + rank} MASTER_ADDR=127.0.0.1 MASTER_PORT=29411`,
      'Traceback (most recent call last):',
      '  File "/home/ida/tag/run.py", line 20, in main',
      '    dist.init_process_group("gloo")',
      '  File "/opt/venv/lib/python3.12/site-packages/torch/distributed/rendezvous.py", line 199, in _create_c10d_store',
      '    return TCPStore(',
      rank === 0
        ? 'torch.distributed.DistStoreError: Timed out after 31 seconds waiting for clients. 2/3 clients joined.'
        : 'torch.distributed.DistStoreError: wait timeout after 30000ms, keys: /default_pg/0//cpu//0/0',
    ]);

  it('may be a host that did not come, where each has its own', async () => {
    const files = { 'rank_0_of_3.log': joined(0, 'd4'), 'rank_1_of_3.log': joined(1, 'd5') };
    expect(await judged(files)).toMatchObject({ subcause: 'rendezvous', first: 2 });
  });

  it('were never started where all are on one host', async () => {
    const files = { 'rank_0_of_3.log': joined(0, 'd4'), 'rank_1_of_3.log': joined(1, 'd4') };
    expect(await judged(files)).toMatchObject({ subcause: 'launch_settings' });
  });
});

describe('who is through with its data', () => {
  const row = (rank: number, event: string, more: object = {}) =>
    JSON.stringify({ ts: '2026-04-02T07:20:00Z', level: 'info', event, rank, ...more });
  const fatal = (rank: number, error: string) => row(rank, 'fatal', { error });
  const job = (ending: readonly number[]): Files =>
    Object.fromEntries(
      upTo(3).map((rank) => [
        `fit-${rank}.jsonl`,
        text([
          ...upTo(8).map((step) => row(rank, 'step', { step, loss: Number(loss(rank, step)) })),
          ...(ending.includes(rank) ? [row(rank, 'epoch_end', { epoch: 0 }), row(rank, 'train_end')] : []),
          fatal(
            rank,
            rank === 0
              ? 'RuntimeError: Application timeout caused pair closure'
              : 'RuntimeError: [../third_party/gloo/gloo/transport/tcp/unbound_buffer.cc:81] Timed out waiting 20000ms for recv operation to complete',
          ),
        ]),
      ]),
    );

  it('is the one that tells of both ends while the others tell of neither', async () => {
    expect(await judged(job([1]))).toMatchObject({ subcause: 'uneven_batches', first: 1 });
  });

  it('is nobody where all are', async () => {
    expect((await judged(job([0, 1, 2]))).first).toBeNull();
  });
});

describe('a moment and a host before the rank', () => {
  const at = (second: number, rank: number, said: string) =>
    `2026-04-02T07:30:${String(second).padStart(2, '0')} pod${rank} ${said}`;
  const waited = (rank: number, second: number, error: string) =>
    [
      'Traceback (most recent call last):',
      '  File "/home/ida/tag/run.py", line 40, in main',
      '    dist.barrier()',
      '  File "/opt/venv/lib/python3.12/site-packages/torch/distributed/distributed_c10d.py", line 5300, in barrier',
      '    work.wait()',
      `RuntimeError: [../third_party/gloo/gloo/transport/tcp/${error}`,
    ].map((told) => at(second, rank, `[rank${rank}]: ${told}`));
  const late = 'unbound_buffer.cc:81] Timed out waiting 20000ms for recv operation to complete';
  const job = (busy: boolean) =>
    text([
      ...upTo(3).map((rank) => at(1, rank, `tag[${rank}] group is up`)),
      ...(busy ? upTo(6).map((part) => at(2 + part, 0, `tag[0] tokenizing part ${part + 1}/6`)) : []),
      ...waited(2, 21, late),
      ...waited(1, 21, late),
      ...waited(0, 29, 'pair.cc:537] Connection closed by peer [10.0.0.4]:40112'),
    ]);

  it('leaves the error readable, and what the first rank did meanwhile', async () => {
    const verdict = { subcause: 'rank_zero_work', action: 'fix_code', first: 0 };
    expect(await judged({ 'all.log': job(true) })).toMatchObject(verdict);
  });

  it('tells of no work where the first rank did none', async () => {
    expect(await judged({ 'all.log': job(false) })).toMatchObject({ subcause: 'collective_timeout' });
  });
});

describe('an error that is logged and raised in the same words', () => {
  const frames = (operation: string) => [
    '  File "/opt/venv/lib/python3.12/site-packages/torch/distributed/distributed_c10d.py", line 5390, in ' +
      operation,
    '    work.wait()',
  ];
  const job = (own: readonly string[]) =>
    text([
      ...stepsOf(3, 6),
      ...own,
      ...[0, 1].flatMap((rank) => {
        const said = `Rank ${rank} met the others, but got an error while it was waiting for rank ${1 - rank}.`;
        const error = `RuntimeError: ${said}`;
        return [
          `${rank}: [rank${rank}]: [E402 07:31:02.114 sync.cpp:71] ${error}`,
          ...raised(rank, 50, 'dist.monitored_barrier()', error, frames('monitored_barrier')),
        ];
      }),
      ...raised(
        2,
        44,
        'dist.all_reduce(total)',
        'RuntimeError: [../third_party/gloo/gloo/transport/tcp/pair.cc:537] Connection closed by peer [10.0.0.4]:40112',
        frames('all_reduce'),
      ),
    ]);

  it('is one error, which only tells of the others', async () => {
    expect(await judged({ 'tag.out': job([]) })).toMatchObject({ subcause: 'collective_mismatch', first: 2 });
  });

  it('is not the error of its own that a rank logged before', async () => {
    const own = [
      '1: [rank1]: [E402 07:31:00.020 io.cpp:12] RuntimeError: cannot map file labels.bin: Input/output error',
    ];
    expect(await judged({ 'tag.out': job(own) })).toMatchObject({ outcome: 'failed', first: 1 });
  });
});
