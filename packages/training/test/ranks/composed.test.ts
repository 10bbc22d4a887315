// The same jobs in several layouts: what happened, to which rank, and how it was written down are put together, so that the answer is known
// for each. Beside the failing ones stand healthy jobs that say nearly the same. The texts were written for these tests.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { diagnoseRecord, findRuns, judgeSeveral, readFiles } from '../../src/index.js';

type Files = Readonly<Record<string, string>>;
/** What each rank printed, and what it raised at its end. */
interface Told {
  readonly said: readonly string[];
  readonly raised?: readonly string[];
}
type Layout = (job: readonly Told[]) => Files;

async function judged(files: Files) {
  const folder = await mkdtemp(join(tmpdir(), 'grus-composed-'));
  try {
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    const found = await findRuns(folder);
    const several = await judgeSeveral(found, (record) => diagnoseRecord(record));
    if (several) return { runs: several.length };
    const { outcome, category, subcause, action, ranks } = diagnoseRecord(await readFiles(found.whole));
    return { outcome, category, subcause, action, first: ranks?.first?.rank ?? null };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const upTo = (count: number) => Array.from({ length: count }, (_, at) => at);
const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');
/** All lines of all ranks, a step of each after the other, and the errors behind them. */
const merged = (job: readonly Told[], mark: (rank: number, line: string) => string) => {
  const length = Math.max(...job.map(({ said }) => said.length));
  const said = upTo(length).flatMap((at) =>
    job.flatMap((told, rank) => (told.said[at] === undefined ? [] : [mark(rank, told.said[at]!)])),
  );
  return text([...said, ...job.flatMap(({ raised = [] }, rank) => raised.map((line) => mark(rank, line)))]);
};

const layouts: Readonly<Record<string, Layout>> = {
  'one console, a moment and a rank before each line': (job) => ({
    'all.log': merged(job, (rank, line) => `[14:02:11][r${rank}] ${line}`),
  }),
  'the console of torchrun --tee': (job) => ({
    'console.txt': merged(job, (rank, line) => `[default${rank}]:${line}`),
  }),
  'mpirun --tag-output': (job) => ({ 'mpi.txt': merged(job, (rank, line) => `[1,${rank}]<stdout>:${line}`) }),
  'a file for each rank': (job) =>
    Object.fromEntries(
      job.map(({ said, raised = [] }, rank) => [`rank_${rank}.log`, text([...said, ...raised])]),
    ),
  'output and errors of each task, without a word of ranks': (job) =>
    Object.fromEntries(
      job.flatMap(({ said, raised = [] }, rank) => [
        [`vox-8812-${rank}.out`, text(said)],
        [`vox-8812-${rank}.err`, text(raised)],
      ]),
    ),
};

const loss = (rank: number, step: number) => `step ${step} loss ${(2.2 - step / 90 + rank / 70).toFixed(4)}`;
const steps = (rank: number, last = 14) => upTo(last).map((at) => loss(rank, at + 1));
const traceback = (line: number, code: string, operation: string, error: string) => [
  'Traceback (most recent call last):',
  '  File "/srv/vox/fit.py", line 211, in <module>',
  '    main()',
  `  File "/srv/vox/fit.py", line ${line}, in main`,
  `    ${code}`,
  `  File "/env/lib/python3.12/site-packages/torch/distributed/distributed_c10d.py", line 2935, in ${operation}`,
  '    work.wait()',
  `RuntimeError: [/pytorch/third_party/gloo/gloo/transport/tcp/${error}`,
];
const inVain = traceback(
  131,
  'dist.all_reduce(total)',
  'all_reduce',
  'unbound_buffer.cc:81] Timed out waiting 45000ms for recv operation to complete',
);
const lost = traceback(
  131,
  'dist.all_reduce(total)',
  'all_reduce',
  'pair.cc:547] Connection closed by peer [10.3.0.8]:4417',
);
const own = (error: string) => [
  'Traceback (most recent call last):',
  '  File "/srv/vox/fit.py", line 211, in <module>',
  '    main()',
  '  File "/srv/vox/rows.py", line 44, in read',
  '    raise Broken(place)',
  error,
];
const job = (size: number, guilty: number, of: Told, others: (rank: number) => Told): readonly Told[] =>
  upTo(size).map((rank) => (rank === guilty ? of : others(rank)));

const waiting = (rank: number): Told => ({ said: steps(rank), raised: inVain });
const leaving = (rank: number): Told => ({ said: steps(rank), raised: lost });

const failing: readonly (readonly [string, string, number, (guilty: number) => readonly Told[]])[] = [
  [
    'rank_zero_work',
    'fix_code',
    0,
    () => job(4, 0, { said: [...steps(0), 'starting held-out scoring'] }, waiting),
  ],
  [
    'loader_stall',
    'fix_data',
    3,
    (at) => job(4, at, { said: [...steps(at), 'waiting for a batch from loader worker 1'] }, waiting),
  ],
  [
    'stuck_rank',
    'fix_code',
    2,
    (at) => job(4, at, { said: [...steps(at), 'waiting for /tmp/vocab.lock'] }, waiting),
  ],
  [
    'collective_mismatch',
    'fix_code',
    1,
    (at) =>
      job(4, at, { said: [...steps(at), 'no pairs in this batch, skipping it', loss(at, 15)] }, waiting),
  ],
  [
    'decode_error',
    'fix_data',
    2,
    (at) =>
      job(
        4,
        at,
        { said: steps(at), raised: own('ValueError: rows/part-03.tsv:118: 7 fields instead of 9') },
        leaving,
      ),
  ],
];

describe.each(Object.entries(layouts))('%s', (_name, layout) => {
  it.each(failing)('tells %s, to do %s, of rank %i', async (subcause, action, first, make) => {
    expect(await judged(layout(make(first)))).toMatchObject({ outcome: 'failed', subcause, action, first });
  });

  it('stays silent where all ranks skipped a batch and came to their end', async () => {
    const said = (rank: number) => [
      ...steps(rank, 9),
      'no pairs in this batch, skipping it',
      ...upTo(9).map((at) => loss(rank, at + 10)),
      'training finished',
    ];
    const found = await judged(layout(upTo(4).map((rank) => ({ said: said(rank) }))));
    expect(found.outcome ?? 'unknown').toBe('unknown');
  });
});

describe('files that are counted and name no rank', () => {
  it('are runs of their own where one of them, not stopped by another, came to its end', async () => {
    const files = Object.fromEntries(
      upTo(4).map((at) => [
        `try-${at}.log`,
        text([...steps(at, 8 + 5 * at), ...(at < 2 ? lost : ['training finished'])]),
      ]),
    );
    expect(await judged(files)).toEqual({ runs: 4 });
  });
});

describe('a step that is cancelled', () => {
  const cancelled = 'slurmstepd: error: *** STEP 8812.0 ON cn4 CANCELLED AT 2026-03-02T08:11:40 ***';
  const console = (last: readonly string[]) => ({
    'job.out': `${merged(job(3, 1, { said: steps(1), raised: own('StopIteration') }, leaving), (rank, line) => `${rank}: ${line}`)}${text(last)}`,
  });

  it('ends the ranks that are left, behind the end of the first', async () => {
    const found = await judged(console(['srun: error: cn4: task 1: Exited with exit code 1', cancelled]));
    expect(found).toMatchObject({ first: 1, subcause: 'code_error', action: 'fix_code' });
  });

  it('was ended from outside where no rank had left', async () => {
    const files = {
      'job.out': `${merged(
        upTo(3).map((rank) => ({ said: steps(rank) })),
        (rank, line) => `${rank}: ${line}`,
      )}${text([cancelled])}`,
    };
    expect(await judged(files)).toMatchObject({ subcause: 'terminated', first: null });
  });
});

describe('an error behind which the rank went on from a checkpoint', () => {
  const again = (rank: number): Told => ({
    said: [...steps(rank, 8), ...(rank === 1 ? own('OSError: stale file handle') : lost)],
    raised: [
      'resumed from checkpoint at step 6',
      ...upTo(20).map((at) => loss(rank, at + 7)),
      'training finished',
    ],
  });

  it('ended nothing', async () => {
    const found = await judged(layouts['a file for each rank']!(upTo(3).map(again)));
    expect(found).toMatchObject({ outcome: 'unknown', subcause: null, first: null });
  });

  it('ended the run where it only went on from one before', async () => {
    const files = layouts['a file for each rank']!(
      job(
        3,
        1,
        {
          said: ['resumed from checkpoint at step 6', ...steps(1)],
          raised: own('OSError: stale file handle'),
        },
        leaving,
      ),
    );
    expect(await judged(files)).toMatchObject({ outcome: 'failed', first: 1 });
  });
});

describe('replicas that a check found apart', () => {
  const checked = (sum: (rank: number) => string) =>
    layouts['a file for each rank']!(
      upTo(4).map((rank) => ({
        said: [...steps(rank), `weights digest ${sum(rank)}`],
        raised: own('RuntimeError: replicas out of sync'),
      })),
    );

  it('are told by the digest that one of them alone has', async () => {
    const found = await judged(checked((rank) => (rank === 2 ? 'c01f7a' : '77de10')));
    expect(found).toMatchObject({ first: 2, subcause: 'replica_drift', action: 'fix_code' });
  });

  it('name no rank where two have one and two another', async () => {
    expect(await judged(checked((rank) => (rank < 2 ? 'c01f7a' : '77de10')))).toMatchObject({ first: null });
  });
});

describe('parts of a step without a unit', () => {
  const timed = (own: (rank: number) => readonly [number, number]) =>
    layouts['a file for each rank']!(
      upTo(4).map((rank) => ({
        said: upTo(30).map((at) => {
          const [work, wait] = own(rank).map((time) => time + ((at * 7 + rank) % 5) / 900);
          return `${loss(rank, at + 1)} fwd_bwd ${work!.toFixed(4)} allreduce ${wait!.toFixed(4)}`;
        }),
      })),
    );

  it('show who is slow by those who wait for it', async () => {
    const found = await judged(timed((rank) => (rank === 3 ? [0.62, 0.02] : [0.21, 0.43])));
    expect(found).toMatchObject({ subcause: 'straggler', first: 3 });
  });

  it('show nothing where all take as long', async () => {
    expect(await judged(timed(() => [0.21, 0.03]))).toMatchObject({ subcause: null, first: null });
  });
});
