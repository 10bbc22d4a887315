// Whose fault it is, where the words alone mislead: errors that only look like a lost peer, operations that ranks leave at different
// times, and what a run went on after. Each fault stands beside a run that looks like it.
import { describe, expect, it } from 'vitest';
import { diagnoseRecord } from '../../src/index.js';
import { runOf } from '../readers/run-of.js';

const c10d = '/env/lib/python3.12/site-packages/torch/distributed/distributed_c10d.py';
const closed = 'RuntimeError: [gloo/transport/tcp/pair.cc:553] Connection closed by peer [10.0.0.4]:4021';
const late =
  'RuntimeError: [gloo/transport/tcp/unbound_buffer.cc:78] Timed out waiting 30000ms for recv operation to complete';

async function judged(files: Readonly<Record<string, string>>) {
  const { ranks, subcause, outcome, action } = diagnoseRecord(await runOf(files));
  return { first: ranks?.first?.rank ?? null, subcause, outcome, action: action ?? null };
}

function logs(count: number, of: (rank: number) => string): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, rank) => [`rank_${rank}.log`, of(rank)]));
}

type At = readonly [file: string, name: string, code?: string];

function raised(error: string, ...frames: readonly At[]): string {
  const shown = frames.map(
    ([file, name, code = '...']) => `  File "${file}", line 20, in ${name}\n    ${code}\n`,
  );
  return `Traceback (most recent call last):\n${shown.join('')}${error}\n`;
}

const main: At = ['/job/fit.py', '<module>', 'main()'];
const inOperation = (name: string, error = closed) =>
  raised(error, main, ['/job/fit.py', 'fit'], [c10d, name]);
const steps = (count: number) =>
  Array.from({ length: count }, (_, at) => `step ${at} loss ${(0.9 - at / 50).toFixed(3)}\n`).join('');

describe('operations in which ranks gave up', () => {
  it('say nothing where messages or a root let some ranks go ahead', async () => {
    const stages = ['send', '', 'recv', 'recv'];
    const pipeline = logs(4, (rank) => steps(8) + (stages[rank] ? inOperation(stages[rank]!) : ''));
    expect(await judged(pipeline)).toMatchObject({ first: 1, subcause: 'missing_rank' });
    const rooted = logs(4, (rank) =>
      rank === 3 ? steps(8) : steps(8) + inOperation(rank === 0 ? 'gather' : 'all_gather', late),
    );
    expect(await judged(rooted)).toMatchObject({ first: 3 });
  });

  it('tell the odd one where each of them holds all ranks', async () => {
    const apart = logs(4, (rank) => steps(8) + inOperation(rank === 2 ? 'barrier' : 'all_reduce', late));
    expect(await judged(apart)).toMatchObject({ first: 2, subcause: 'collective_mismatch' });
  });
});

describe('an error of a rank of its own', () => {
  it.each([
    ['a simulator that hangs up', 'ConnectionResetError: [Errno 104] Connection reset by peer', 'network'],
    ['a stale mount', "OSError: [Errno 116] Stale file handle: '/data/7.bin'", 'storage_fault'],
    [
      'a mount that became read-only',
      "OSError: [Errno 30] Read-only file system: '/out/a.pt'",
      'storage_fault',
    ],
    [
      'a library that is not on this host',
      'OSError: libfused.so.2: cannot open shared object file: No such file or directory',
      'missing_package',
    ],
  ])('is %s', async (_name, error, subcause) => {
    const files = logs(4, (rank) =>
      rank === 1
        ? steps(8) + raised(error, main, ['/job/fit.py', 'fit'])
        : steps(8) + inOperation('all_reduce'),
    );
    expect(await judged(files)).toMatchObject({ first: 1, subcause });
  });

  it('is a call that the library refused, and a variable that is not set', async () => {
    const refused = 'ValueError: Invalid usage of tensors with different dtypes';
    const files = logs(3, (rank) =>
      rank === 2 ? steps(8) + inOperation('all_gather', refused) : steps(8) + inOperation('all_gather'),
    );
    expect(await judged(files)).toMatchObject({ first: 2, action: 'fix_code' });
    const unset = raised(
      "KeyError: 'DATA_TOKEN'",
      main,
      ['/job/fit.py', 'load_data', 'token = os.environ["DATA_TOKEN"]'],
      ['<frozen os>', '__getitem__'],
    );
    const start = 'DistStoreError: wait timeout after 30000ms, keys: /default_pg/0//cpu//0/1';
    const missing = logs(3, (rank) => (rank === 1 ? unset : inOperation('init_process_group', start)));
    expect(await judged(missing)).toMatchObject({ first: 1, subcause: 'invalid_configuration' });
  });

  it('is nobody where it was caught and another rank came to the end', async () => {
    const caught = raised('JSONDecodeError: Expecting value', ['/job/fit.py', 'fit']);
    const through = `${steps(40)}Training completed.\n`;
    const files = {
      'rank_0.log': through,
      'rank_1.log': `${caught}row skipped\n`,
      'rank_2.log': 'started\n',
    };
    expect(await judged(files)).toMatchObject({ first: null, subcause: null });
    // The same without an end: nobody knows that it went on.
    const cut = { ...files, 'rank_0.log': steps(4), 'rank_1.log': caught };
    expect(await judged(cut)).toMatchObject({ outcome: 'failed' });
  });
});

describe('before the first step', () => {
  const wait = (key: number) =>
    `DistStoreError: wait timeout after 4000ms, keys: /default_pg/0//cpu//0/${key}`;

  it('the rank that is not among those who complain did not come', async () => {
    const counted = 'DistStoreError: Timed out after 5 seconds waiting for clients. 3/4 clients joined.';
    const files = logs(3, (rank) => inOperation('init_process_group', rank === 0 ? counted : wait(0)));
    expect(await judged(files)).toMatchObject({ first: 3, subcause: 'rendezvous' });
  });

  it('a rank that alone waits for one that does not exist counts wrongly', async () => {
    const files = logs(3, (rank) =>
      rank === 2 ? inOperation('init_process_group', wait(3)) : inOperation('broadcast', late),
    );
    expect(await judged(files)).toMatchObject({ first: 2 });
  });
});

describe('rank 0 that began something alone', () => {
  it('is told by its last line, and not where it only waits', async () => {
    const files = (last: string) =>
      logs(3, (rank) => (rank === 0 ? `${steps(8)}${last}\n` : steps(8) + inOperation('barrier', late)));
    expect(await judged(files('building index of 41 files'))).toMatchObject({
      first: 0,
      subcause: 'rank_zero_work',
    });
    expect(await judged(files('waiting for the others'))).toMatchObject({
      first: 0,
      subcause: 'collective_timeout',
    });
  });
});

describe('stacks that are printed again and again', () => {
  const stack =
    'Timeout (0:00:02)!\nThread 0x00007f (most recent call first):\n  File "/job/fit.py", line 3 in fit\n';

  it('tell of a hang only when no step follows them', async () => {
    const on = steps(20) + stack + steps(40).split('\n').slice(20).join('\n');
    expect(await judged({ 'train.log': on })).not.toMatchObject({ subcause: 'hang' });
    expect(await judged({ 'train.log': steps(20) + stack })).toMatchObject({ subcause: 'hang' });
  });
});

describe('a rank that ended with a code of its own', () => {
  const lost = (rank: number) => `[${rank}] ${inOperation('all_reduce')}`;
  const log = (codes: readonly number[]) => ({
    ...logs(3, (rank) => (rank === 1 ? steps(6) : steps(6) + lost(rank))),
    'launcher.log': codes.map((code, rank) => `  process rank ${rank} exit code ${code}\n`).join(''),
  });

  it('did what its code says, whatever codes the others ended with behind it', async () => {
    expect(await judged(log([1, 17, 1]))).toMatchObject({ first: 1, subcause: 'code_error' });
  });

  it('was taken away where the code stands for a signal', async () => {
    expect((await judged(log([1, 137, 1]))).subcause).not.toBe('code_error');
  });
});

describe('replicas that somebody finds apart', () => {
  const found = (list: string) =>
    logs(
      4,
      () =>
        steps(6) +
        raised(`RuntimeError: replicas out of sync: checksums ${list}`, main, ['/job/fit.py', 'check']),
    );

  it('are led by the one that the list shows apart, and by none where two are', async () => {
    expect((await judged(found('[5.1, 5.1, 4.8, 5.1]'))).first).toBe(2);
    expect((await judged(found('[5.1, 4.8, 4.8, 5.1]'))).first).toBeNull();
    expect((await judged(found('[5.1, 4.8, 5.1]'))).first).toBeNull();
  });
});
