// Who did not come to the start, told by keys in the store and by interfaces; and the logs of hosts that lost each other.
import { describe, expect, it } from 'vitest';
import { diagnoseRecord, findRuns, judgeSeveral } from '../../src/index.js';
import { runOf, temporaryRun } from '../readers/run-of.js';

async function judged(files: Readonly<Record<string, string>>) {
  const { ranks, subcause, action } = diagnoseRecord(await runOf(files));
  return { first: ranks?.first?.rank ?? null, subcause, action: action ?? null };
}

const begun = (error: string) =>
  `Traceback (most recent call last):\n  File "/job/fit.py", line 12, in <module>\n    dist.init_process_group("gloo")\n  File "/env/lib/python3.12/site-packages/torch/distributed/distributed_c10d.py", line 1899, in init_process_group\n    default_pg, _ = _new_process_group_helper(\n${error}\n`;
const awaits = (rank: number) =>
  begun(`torch.distributed.DistStoreError: wait timeout after 9000ms, keys: /default_pg/0//cpu//0/${rank}`);
const counts = begun(
  'torch.distributed.DistStoreError: Timed out after 10 seconds waiting for clients. 3/4 clients joined.',
);
const noInterface = (name: string) =>
  begun(
    `RuntimeError: [enforce fail at gloo/transport/tcp/device.cc:84] ifa != nullptr. Unable to find address for: ${name}`,
  );

describe('the first rank, whose key is missing', () => {
  it('holds the store, and is not who stays away', async () => {
    expect(
      await judged({ 'all.log': `rank 0/4 up\nrank 1/4 up\nrank 3/4 up\n${awaits(0)}${awaits(0)}${counts}` }),
    ).toMatchObject({ first: null, subcause: 'rendezvous' });
    expect(await judged({ 'all.log': `world_size=4\n${awaits(0)}${awaits(0)}` })).toMatchObject({
      first: null,
    });
  });

  it('is who stays away where all others wait for it', async () => {
    const ranks = [1, 2, 3].map((rank) => [`rank_${rank}.log`, `world_size=4\n${awaits(0)}`]);
    expect(await judged(Object.fromEntries(ranks))).toMatchObject({ first: 0, subcause: 'rendezvous' });
  });
});

describe('an interface that a host lacks', () => {
  const log = (host: string, ...words: string[]) => [`${host}.log`, words.join('')] as const;
  const files = Object.fromEntries([
    log(
      'gn-a',
      '10:00:01 gn-a part0| starting, iface eno1\n10:00:01 gn-a part1| starting, iface eno1\n',
      awaits(3),
      awaits(3),
    ),
    log(
      'gn-b',
      '10:00:01 gn-b part2| starting, iface hsn0\n10:00:01 gn-b part3| starting, iface hsn0\n',
      noInterface('hsn0'),
      noInterface('hsn0'),
    ),
  ]);

  it('is a setting, and its log belongs to those that waited', async () => {
    const found = await findRuns(temporaryRun(files));
    expect(await judgeSeveral(found, (record) => diagnoseRecord(record))).toBe(null);
    expect(await judged(files)).toMatchObject({ first: 3, subcause: 'launch_settings', action: 'fix_code' });
  });

  it('leaves runs of their own apart, where nobody lost another', async () => {
    const alone = Object.fromEntries(
      ['gn-a', 'gn-b'].map((host) => log(host, `10:00:01 ${host} starting\n`, begun("KeyError: 'width'"))),
    );
    const found = await findRuns(temporaryRun(alone));
    expect(await judgeSeveral(found, (record) => diagnoseRecord(record))).toHaveLength(2);
  });
});

describe('what a process calls itself', () => {
  it('tells its rank where its log has that number, though it counts no steps', async () => {
    const lost = 'RuntimeError: [gloo/transport/tcp/pair.cc:553] Connection closed by peer [10.1.0.4]:40';
    const files = [0, 1, 2].map((rank) => [
      `pod-${rank}.txt`,
      `worker ${rank}: up\nworker ${rank}: 96 rows\n${begun(rank === 1 ? "KeyError: 'width'" : lost)}`,
    ]);
    expect(await judged(Object.fromEntries(files))).toMatchObject({ first: 1, subcause: 'code_error' });
  });
});
