// Who wrote a line and what a number in it is: a process that calls itself something, a heading above a report, a counter that says where
// it ends, and a stack that shows a moment only. Each statement stands beside a job that looks like it, of which it must not be said.
import { describe, expect, it } from 'vitest';
import { diagnoseRecord } from '../../src/index.js';
import { runOf } from '../run-files.js';

async function judged(files: Readonly<Record<string, string>>) {
  const { ranks, subcause, outcome } = diagnoseRecord(await runOf(files));
  return {
    first: ranks?.first?.rank ?? null,
    subcause,
    isBad: outcome === 'failed' || outcome === 'degraded',
  };
}

const upTo = (count: number) => Array.from({ length: count }, (_, at) => at);
const each = (count: number, name: (at: number) => string, text: (at: number) => string) =>
  Object.fromEntries(upTo(count).map((at) => [name(at), text(at)]));
const joined = (lines: readonly string[]) => `${lines.join('\n')}\n`;
const falling = (step: number) => (1.9 - step * 0.03).toFixed(4);
const closed =
  '[/src/gloo/transport/tcp/pair.cc:553] Connection closed by peer [10.2.0.5]:31022. This is typically caused by a remote worker crashing.';
const ranOut =
  '[/src/gloo/transport/tcp/unbound_buffer.cc:78] Timed out waiting 9000ms for recv operation to complete';
const raised = (error: string, line = 41) =>
  joined([
    'Traceback (most recent call last):',
    `  File "/opt/job/fit.py", line ${line}, in <module>`,
    '    dist.all_reduce(total)',
    '  File "/opt/env/lib/python3.12/site-packages/torch/distributed/distributed_c10d.py", line 3010, in all_reduce',
    '    work.wait()',
    `RuntimeError: ${error}`,
  ]);

describe('stacks of a moment', () => {
  const stack = (pid: number, frames: readonly string[]) =>
    `Process ${pid}: python score.py\nPython v3.12.4 (/usr/bin/python3.12)\n\nThread ${pid} (idle): "MainThread"\n${frames.map((frame) => `    ${frame}\n`).join('')}`;
  const job = (last: (rank: number) => readonly string[], call = 'barrier') => ({
    ...each(
      4,
      (rank) => `rank${rank}.log`,
      (rank) =>
        joined([
          ...upTo(3).flatMap((round) => [
            `[rank ${rank}] round ${round} loss ${falling(round + rank)}`,
            ...(rank === 0
              ? [`[rank 0] scoring on rank 0`, `[rank 0] recall ${(0.4 + round / 50).toFixed(3)}`]
              : []),
            `[rank ${rank}] round ${round} over`,
          ]),
          ...last(rank),
        ]),
    ),
    ...each(
      4,
      (rank) => `stacks/rank${rank}.txt`,
      (rank) =>
        stack(
          7100 + rank,
          rank === 0
            ? ['score (score.py:30)', '<module> (score.py:52)']
            : [`${call} (torch/distributed/distributed_c10d.py:5102)`, '<module> (score.py:33)'],
        ),
    ),
  });

  it('show a pause where the others wait for the first rank, as in every round, and the logs end behind it', async () => {
    expect(await judged(job(() => []))).toMatchObject({ first: null, isBad: false });
  });

  it('show a rank that stands still where its log ends in this work', async () => {
    const within = job((rank) => [
      `[rank ${rank}] round 3 loss ${falling(3 + rank)}`,
      ...(rank === 0 ? ['[rank 0] scoring on rank 0'] : []),
    ]);
    expect(await judged(within)).toMatchObject({ first: 0, isBad: true });
  });

  it('show it where the others wait in what each step needs, or complain', async () => {
    expect(await judged(job(() => [], 'all_reduce'))).toMatchObject({ first: 0, isBad: true });
    const complained = job((rank) => (rank === 0 ? [] : [raised(ranOut)]));
    expect(await judged(complained)).toMatchObject({ isBad: true });
  });
});

describe('a report below a heading', () => {
  const row = (rank: number, step: number) =>
    JSON.stringify({ rank, event: 'train', step: step * 5, loss: Number(falling(step)) });
  const logs = (end: (rank: number) => string) =>
    each(
      3,
      (rank) => `pods/fold-worker-${rank}.log`,
      (rank) => `${joined(upTo(10).map((step) => row(rank, step)))}${end(rank)}`,
    );
  const block = (name: string, reason: string, code: number) =>
    `Name:             ${name}\nNamespace:        ml\nContainers:\n  trainer:\n    State:          Terminated\n      Reason:       ${reason}\n      Exit Code:    ${code}\n`;
  const lostOne = (gone: number) => logs((rank) => (rank === gone ? '' : raised(closed)));

  it('is of the pod that the heading names, whichever pods stand below other headings', async () => {
    const all = upTo(3).map((rank) =>
      rank === 1 ? block('fold-worker-1', 'OOMKilled', 137) : block(`fold-worker-${rank}`, 'Error', 1),
    );
    expect(await judged({ ...lostOne(1), 'pods.txt': all.join('\n') })).toMatchObject({
      first: 1,
      subcause: 'host_memory',
    });
    const within =
      'items:\n- metadata:\n    name: fold-worker-1\n  spec:\n    containers:\n    - image: fold:8\n      name: trainer\n  status:\n    containerStatuses:\n    - name: trainer\n      state:\n        terminated:\n          reason: OOMKilled\n';
    expect(await judged({ ...lostOne(1), 'pods.yaml.txt': within })).toMatchObject({ first: 1 });
    expect(
      await judged({ ...lostOne(2), 'pod.txt': block('fold-worker-2', 'OOMKilled', 137) }),
    ).toMatchObject({ first: 2, subcause: 'host_memory' });
  });

  it('is of nobody where no heading names a rank’s pod', async () => {
    const other = logs(() => raised(closed));
    const cache = block('fold-cache-0', 'OOMKilled', 137);
    expect((await judged({ ...other, 'pod.txt': cache })).first).toBeNull();
    const below = `${block('fold-worker-1', 'Error', 1)}\n${cache}`;
    expect((await judged({ ...other, 'pods.txt': below })).first).toBeNull();
  });
});

describe('what a process calls itself behind its logger', () => {
  const front = (rank: number, place: string) =>
    `2026-04-11 10:21:3${rank}.40${rank} | INFO     | ${place} - (r${rank})`;
  const mismatch =
    'Traceback (most recent call last):\n  File "/opt/asr/run.py", line 19, in <module>\n    net.load_state_dict(state)\nRuntimeError: Error(s) in loading state_dict for Tagger:\n\tMissing key(s) in state_dict: "head.bias".\n';
  const job = (numbers: readonly number[]) =>
    each(
      numbers.length,
      (at) => `hq${31 + at}.log`,
      (at) =>
        `${front(numbers[at]!, 'run:start:12')} host=hq${31 + at} asrkit==1.8.${at === 2 ? 0 : 2}\n${
          at === 2 ? mismatch : `${front(numbers[at]!, 'run:start:15')} weights are there\n${raised(closed)}`
        }`,
    );

  it('is its rank where each file has another and none is left out', async () => {
    expect(await judged(job([0, 1, 2, 3]))).toMatchObject({ first: 2, subcause: 'checkpoint_mismatch' });
    expect(await judged(job([3, 1, 0, 2]))).toMatchObject({ first: 0, subcause: 'checkpoint_mismatch' });
  });

  it('is none where several call themselves the same, or one is left out', async () => {
    expect(await judged(job([0, 0, 0, 0]))).toMatchObject({ first: null, subcause: 'checkpoint_mismatch' });
    expect(await judged(job([0, 1, 5, 7]))).toMatchObject({ first: null, subcause: 'checkpoint_mismatch' });
  });
});

describe('a moment that a collector wrote before each line', () => {
  const stamped = (lines: readonly string[]) =>
    joined(
      lines.map((line, at) => `2026-04-11T10:21:${String(at % 60).padStart(2, '0')}.118204557Z ${line}`),
    );
  const places = async (lines: readonly string[]) =>
    (await runOf({ 'console.log': stamped(lines) })).seats.flatMap(({ host }) => host ?? []);

  it('hides no number of a task', async () => {
    const steps = upTo(8).flatMap((step) =>
      upTo(3).map((rank) => `${rank}: step ${step} loss ${falling(step)}`),
    );
    const end = [
      ...[
        'Traceback (most recent call last):',
        '  File "/srv/seg/tile.py", line 30, in <module>',
        '    read(name)',
        "KeyError: 'tile_9'",
      ].map((line) => `2: ${line}`),
      ...[0, 1].map((rank) => `${rank}: RuntimeError: ${closed}`),
    ];
    expect(await judged({ 'console.log': stamped([...steps, ...end]) })).toMatchObject({ first: 2 });
    // What one process counts is no task: it never comes back.
    const counted = upTo(24).map((step) => `${step}: loss ${falling(step)}`);
    expect(await judged({ 'console.log': stamped(counted) })).toMatchObject({ first: null, isBad: false });
  });

  it('makes no host of what a launcher calls its workers', async () => {
    const words = (worker: number) => `[default${worker}]:[rank${worker}]: weights loaded`;
    expect(await places([words(0), words(1), words(0), words(1)])).toEqual([]);
    expect(await places(['gn07: [rank0]: weights loaded', 'gn08: [rank1]: weights loaded'])).toEqual([
      'gn07',
      'gn08',
    ]);
  });
});

describe('a counter that says where it ends', () => {
  const line = (rank: number, text: string, level = 'INFO') =>
    `[1,${rank}]<stderr>:2026-04-11 10:21:30 ${level} fit ${text}`;
  const job = (ends: readonly number[], done: readonly number[], last: (rank: number) => string[]) => ({
    'mpi.out': joined([
      ...upTo(Math.max(...done)).flatMap((step) =>
        ends.flatMap((end, rank) =>
          step < done[rank]!
            ? [line(rank, `batch ${step + 1}/${end} loss ${falling(step + rank / 10)}`)]
            : [],
        ),
      ),
      ...ends.flatMap((_, rank) => last(rank)),
    ]),
  });
  const gaveUp = (rank: number) => [line(rank, rank === 1 ? ranOut : closed, 'CRITICAL')];

  it('tells of a rank that has come to an earlier end than all others', async () => {
    expect(await judged(job([30, 24, 30, 30], [25, 24, 25, 25], gaveUp))).toMatchObject({
      first: 1,
      subcause: 'uneven_batches',
    });
  });

  it('tells nothing where all have the same end, or where it was not reached', async () => {
    for (const ends of [
      [30, 30, 30, 30],
      [30, 28, 30, 30],
    ])
      expect((await judged(job(ends, [25, 24, 25, 25], gaveUp))).subcause).not.toBe('uneven_batches');
  });

  it('tells nothing where all went on after a line that only logs such an error', async () => {
    const wentOn = (rank: number) => [
      line(rank, closed, 'ERROR'),
      ...upTo(5).map((step) => line(rank, `batch ${26 + step}/30 loss ${falling(25 + step)}`)),
    ];
    expect(await judged(job([30, 30, 30], [25, 25, 25], wentOn))).toMatchObject({
      first: null,
      isBad: false,
    });
  });
});

describe('what a rank says again behind an error', () => {
  const at = (second: number) => `2026-04-11 10:21:${String(10 + second).padStart(2, '0')},250`;
  const say = (rank: number, second: number, text: string) =>
    `${rank}: ${at(second)} INFO    r${rank} ${text}`;
  const error = (rank: number, second: number) => [
    `${rank}: ${at(second)} ERROR   r${rank} cannot read part 4`,
    `${rank}: Traceback (most recent call last):`,
    `${rank}:   File "/srv/seg/tile.py", line 14, in <module>`,
    `${rank}:     part = fetch(4)`,
    `${rank}: ConnectionResetError: [Errno 104] Connection reset by peer`,
  ];
  /** Where the lines of one rank stand: at the moment they were said, or behind its error when they were held back. */
  const job = (later: (rank: number, part: number) => string[]) => ({
    'slurm-81.out': joined([
      ...upTo(9).flatMap((part) => upTo(3).map((rank) => say(rank, part, `part ${part} merged`))),
      ...error(1, 9),
      ...upTo(9).flatMap((part) => upTo(3).flatMap((rank) => later(rank, 9 + part))),
    ]),
  });

  it('with higher numbers and later times shows that it dealt with the error', async () => {
    expect(await judged(job((rank, part) => [say(rank, part + 1, `part ${part} merged`)]))).toMatchObject({
      first: null,
      isBad: false,
    });
  });

  it('shows nothing where it was said before, or by the others alone', async () => {
    const heldBack = job((rank, part) => [say(rank, rank === 1 ? 8 : part, `part ${part} merged`)]);
    expect(await judged(heldBack)).toMatchObject({ first: 1, isBad: true });
    const others = job((rank, part) => (rank === 1 ? [] : [say(rank, part + 1, `part ${part} merged`)]));
    expect(await judged(others)).toMatchObject({ first: 1, isBad: true });
  });
});

describe('a type that one rank names otherwise', () => {
  const sizes =
    "terminate called after throwing an instance of 'gloo::EnforceNotMet'\n  what():  [enforce fail at /src/gloo/transport/tcp/pair.cc:456] op.preamble.length <= op.nbytes. 1024 vs 512. Received data size doesn't match expected size.\n";
  const job = (types: readonly string[]) =>
    each(
      types.length,
      (rank) => `task-${rank}.log`,
      (rank) =>
        `2026-04-11 10:21:30 INFO  fit [${rank}/${types.length}] reduces ${types[rank]}\n${rank === 3 ? sizes : raised(closed)}`,
    );

  it('is where it began, whoever noticed it', async () => {
    const types = ['torch.float32', 'torch.float32', 'torch.float16', 'torch.float32'];
    expect(await judged(job(types))).toMatchObject({ first: 2, subcause: 'collective_mismatch' });
  });

  it('is nowhere when all name the same', async () => {
    const types = upTo(4).map(() => 'torch.float32');
    expect(await judged(job(types))).toMatchObject({ first: null, subcause: 'collective_mismatch' });
  });
});
