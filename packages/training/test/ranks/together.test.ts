// Files beside each other: what the ranks or hosts of one job wrote, or runs of their own. Each statement stands beside a sweep, a second
// try or another run that looks like it.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { diagnoseRecord, findRuns, judgeSeveral, separateRuns } from '../../src/index.js';
import { runOf } from '../run-files.js';

type Files = Readonly<Record<string, string>>;

async function inFolder<T>(files: Files, ask: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'grus-together-'));
  try {
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    return await ask(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** As many runs as the folder is taken for. */
function runsIn(files: Files): Promise<number> {
  return inFolder(files, async (folder) => {
    const several = await judgeSeveral(await findRuns(folder), (record) => diagnoseRecord(record));
    const count = several?.length ?? 1;
    expect(await separateRuns(await findRuns(folder))).toHaveLength(count);
    return count;
  });
}

const upTo = (count: number) => Array.from({ length: count }, (_, at) => at);
const lines = (count: number, of: (at: number) => string) => upTo(count).map(of).join('\n');
const each = (count: number, name: (at: number) => string, text: (at: number) => string): Files =>
  Object.fromEntries(upTo(count).map((at) => [name(at), `${text(at)}\n`]));

/** The same numbers in every run of the tests. */
function noise(seed: number): () => number {
  let state = seed * 7919 + 17;
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648;
  };
}

const start = Date.parse('2026-03-02T08:00:00Z');
const moment = (ms: number) => new Date(start + ms).toISOString().slice(0, 23).replace('T', ' ');

describe('rows of each process, with a loss of its own', () => {
  const steps = 160;
  /** `pace`: the moments of the steps. */
  const rows = (of: number, pace: readonly number[], precise = true) => {
    const own = noise(of + 1);
    return `time,step,loss\n${lines(steps, (at) => {
      const time = moment(pace[at]!);
      return `${precise ? time : time.slice(0, 19)},${at},${(3 - at / 80 + own() / 5).toFixed(4)}`;
    })}`;
  };
  const paced = (seed: number, every: number, jitter: number, from = 0) => {
    const random = noise(seed);
    let time = from;
    return upTo(steps).map(() => (time += every * (1 + jitter * (random() - 0.5))));
  };

  it('are one job where they step in time with each other', async () => {
    const pace = paced(3, 50, 0.4);
    expect(
      await runsIn(
        each(
          4,
          (at) => `metrics_${at}.csv`,
          (at) =>
            rows(
              at,
              pace.map((time) => time + at),
            ),
        ),
      ),
    ).toBe(1);
    const slow = paced(3, 9000, 0.4);
    expect(
      await runsIn(
        each(
          4,
          (at) => `metrics_${at}.csv`,
          (at) => rows(at, slow, false),
        ),
      ),
    ).toBe(1);
  });

  it('are the runs of a sweep where each goes at a pace of its own, though all began at once', async () => {
    for (const [every, precise] of [
      [50, true],
      [2000, true],
      [30_000, false],
    ] as const)
      expect(
        await runsIn(
          each(
            8,
            (at) => `seed_${at}.csv`,
            (at) => rows(at, paced(at + 11, every, 0.05, 300 * at), precise),
          ),
        ),
      ).toBe(8);
  });

  it('are runs one after the other where none begins before the last is over', async () => {
    const same = (at: number) =>
      rows(
        1,
        paced(5, 50, 0.1).map((time) => time + at * 3_600_000),
      );
    expect(await runsIn(each(3, (at) => `try_${at}.csv`, same))).toBe(3);
  });
});

describe('logs that hold the same after each step', () => {
  const log = (rank: number, norm: (step: number) => number, lr = 0.1) =>
    lines(
      12,
      (at) =>
        `${moment(at * 1000).slice(0, 19)} step=${at * 10} loss=${(2 - at / 20 + rank / 50).toFixed(4)} lr=${(lr * (1 - at / 20)).toFixed(5)} grad_norm=${norm(at).toFixed(5)}`,
    );

  it('are one job, though one of the replicas parts from the others later on', async () => {
    const shared = (at: number) => 1 / (1 + at / 3);
    expect(
      await runsIn(
        each(
          6,
          (at) => `vit.${at}.log`,
          (at) => log(at, (step) => shared(step) + (at === 5 && step > 6 ? 0.1 : 0)),
        ),
      ),
    ).toBe(1);
  });

  it('are a sweep where only the schedule is the same', async () => {
    expect(
      await runsIn(
        each(
          6,
          (at) => `vit.${at}.log`,
          (at) => log(at, (step) => 1 / (1 + step / (3 + at))),
        ),
      ),
    ).toBe(6);
  });
});

describe('two kinds of files', () => {
  const gone =
    'RuntimeError: [gloo/transport/tcp/pair.cc:553] Connection closed by peer [127.0.0.1]:54475. This is typically caused by a remote worker crashing.';
  const raised = (rank: number) =>
    `[rank${rank}]: Traceback (most recent call last):\n[rank${rank}]:   File "/job/fit.py", line 20, in fit\n[rank${rank}]:     loss.backward()\n[rank${rank}]: ${gone}`;
  const rows = (rank: number, from = 0) =>
    lines(20, (at) =>
      JSON.stringify({
        ts: new Date(start + from + at * 500).toISOString(),
        rank,
        world: 4,
        step: at,
        loss: 3 - at / 9 + rank / 30,
      }),
    );
  const events = Object.fromEntries(
    upTo(4).map((rank) => [`events.node-${rank < 2 ? 'a' : 'b'}.${rank % 2}.jsonl`, `${rows(rank)}\n`]),
  );
  const console = (ranks: readonly number[]) =>
    `${lines(20, (at) => `${moment(at * 500)} step ${at} loss ${(3 - at / 9).toFixed(3)}`)}\n${ranks.map(raised).join('\n')}\n`;

  it('are of one job: rows of each rank and the console of each host', async () => {
    expect(await runsIn({ ...events, 'node-a.log': console([0, 1]), 'node-b.log': console([2]) })).toBe(1);
  });

  it('are of several where the console is of another day', async () => {
    const later = console([0, 1]).replaceAll('2026-03-02', '2026-03-05');
    expect(await runsIn({ ...events, 'old.log': later })).toBeGreaterThan(1);
  });

  it('are of several where each has ranks of its own from 0 on', async () => {
    const runs = { 'alpha.jsonl': `${rows(0)}\n${rows(1)}\n`, 'beta.jsonl': `${rows(0)}\n${rows(1)}\n` };
    expect(await runsIn(runs)).toBe(2);
  });
});

describe('launchers that waited for each other', () => {
  const waited =
    'Traceback (most recent call last):\n  File "/env/lib/python3.12/site-packages/torch/distributed/run.py", line 9, in main\n    run(args)\ntorch.distributed.elastic.rendezvous.api.RendezvousTimeoutError\n';
  const broken =
    'Traceback (most recent call last):\n  File "/job/fit.py", line 9, in main\n    run(args)\nKeyError: \'lr\'\n';

  it('are of one job, and runs that failed by themselves are not', async () => {
    expect(await runsIn({ 'gx01.log': waited, 'gx02.log': waited })).toBe(1);
    expect(await runsIn({ 'gx01.log': broken, 'gx02.log': broken })).toBe(2);
  });
});

describe('devices that are counted on each host', () => {
  const host = (node: number) =>
    `${lines(16, (at) => `[2026-03-02T08:00:${10 + (at >> 1)}+0000][mt0${node}/gpu${at % 2}][INFO] step ${at >> 1} loss ${(2 - (at >> 1) / 9).toFixed(3)}`)}
  rank      : ${2 * node} (local_rank: 0)
  exitcode  : 1 (pid: 41${node})
  rank      : ${2 * node + 1} (local_rank: 1)
  exitcode  : 1 (pid: 42${node})
`;

  it('are the ranks that the launcher of the host gives them', async () => {
    const record = await runOf({ 'fit_mt00.log': host(0), 'fit_mt01.log': host(1) });
    const ranks = new Set(record.series.map(({ rank }) => rank));
    expect([...ranks].sort()).toEqual([0, 1, 2, 3]);
    expect(await runsIn({ 'fit_mt00.log': host(0), 'fit_mt01.log': host(1) })).toBe(1);
    expect(await runsIn({ 'fit_mt00.log': host(0), 'fit_mt01.log': host(0) })).toBe(2);
  });
});

describe('logs that say which of how many they are of', () => {
  const of = (word: string) => {
    const name = (at: number) => `${['ash', 'elm', 'oak', 'fir'][at]}.log`;
    const text = (at: number) =>
      `${word} ${at} of 4\n${lines(30, (step) => `step ${step} loss ${(2 - step / 40 - at / 9 - noise(at + step)() / 9).toFixed(4)}`)}`;
    return each(4, name, text);
  };

  it('are one job where they count processes, and several where they count trials', async () => {
    expect(await runsIn(of('process'))).toBe(1);
    expect(await runsIn(of('trial'))).toBe(4);
  });
});
