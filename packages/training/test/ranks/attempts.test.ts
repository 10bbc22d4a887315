// What is over and what is not: attempts that a launcher started again, errors that a rank dealt with, and the words of
// `torch.multiprocessing.spawn`. Each failing job has a healthy twin.
import { describe, expect, it } from 'vitest';
import { type Diagnosis, diagnoseRecord } from '../../src/index.js';
import { runOf } from '../run-files.js';

async function judged(files: Readonly<Record<string, string>>): Promise<Diagnosis> {
  return diagnoseRecord(await runOf(files));
}

const firstOf = ({ ranks }: Diagnosis): number | null | undefined => ranks && (ranks.first?.rank ?? null);

/** Two ranks, step by step. */
function steps(from: number, to: number, mark = (rank: number): string => `[rank${rank}]: `): string {
  let text = '';
  for (let step = from; step <= to; step++)
    for (const rank of [0, 1])
      text += `${mark(rank)}step ${step} loss ${(2 / (step + 2) + rank / 50).toFixed(4)}\n`;
  return text;
}

function raised(rank: number, error: string, outermost = '<module>'): string {
  return [
    'Traceback (most recent call last):',
    `  File "/job/train.py", line 40, in ${outermost}`,
    '    read(batch)',
    '  File "/job/train.py", line 12, in read',
    '    raise problem',
    error,
  ]
    .map((line) => `[rank${rank}]: ${line}\n`)
    .join('');
}

const workerFailed = (rank: number): string =>
  `E0301 10:00:00.120000 70 torch/distributed/elastic/multiprocessing/api.py:900] failed (exitcode: 1) local_rank: ${rank} (pid: 81) of binary: /usr/bin/python\n`;
const launcherFailed = `torch.distributed.elastic.multiprocessing.errors.ChildFailedError:
Root Cause (first observed failure):
[0]:
  host      : node1
  rank      : 0 (local_rank: 0)
  exitcode  : 1 (pid: 80)
`;
const hungUp = 'RuntimeError: [gloo/transport/tcp/pair.cc:5] Connection closed by peer [10.0.0.2]:91';
const firstAttempt = `${steps(0, 3)}${raised(1, 'OSError: bad shard')}${raised(0, hungUp)}${workerFailed(0)}`;

describe('an error that a rank caught before its first step', () => {
  const counted = (epoch: number, from: number, to: number) =>
    steps(from, to).replaceAll('step', `epoch ${epoch} step`);
  it('ended nothing where its own numbers go on behind it', async () => {
    const caught = (rest: string) =>
      judged({
        'console.log': `${raised(1, "ValueError: could not convert string to float: 'n/a'", 'rows')}${rest}`,
      });
    expect((await caught(counted(0, 0, 3) + counted(1, 0, 3))).outcome).toBe('unknown');
    expect((await caught('')).outcome).toBe('failed');
  });
});

describe('a job that was started again', () => {
  it('is judged by its last attempt', async () => {
    const wentOn = await judged({ 'console.log': `${firstAttempt}${steps(0, 30)}` });
    expect([wentOn.outcome, firstOf(wentOn)]).toEqual(['unknown', null]);
    const fellAgain = await judged({
      'console.log': `${firstAttempt}${steps(0, 30)}${raised(0, "KeyError: 'mask'")}${launcherFailed}`,
    });
    expect([fellAgain.outcome, firstOf(fellAgain)]).toEqual(['failed', 0]);
    expect(fellAgain.evidence[0]?.fact).toContain('KeyError');
  });

  it('is over where its agent tells at length of the attempt before', async () => {
    const agent = `${workerFailed(1)}E0301 10:00:00.120000 70 torch/distributed/elastic/multiprocessing/api.py:900] torch.multiprocessing.spawn.ProcessExitedException: process 1 terminated with exit code 1\n`;
    const job = (end: string) =>
      judged({
        'train.log': agent,
        'logs/attempt_0/1/stderr.log': raised(1, 'OSError: bad shard'),
        'logs/attempt_1/0/stdout.log': steps(0, 30, () => '').concat(end),
      });
    const well = await job('training finished after 30 steps\n');
    expect([well.outcome, firstOf(well)]).toEqual(['unknown', null]);
    expect((await job(raised(0, "KeyError: 'mask'"))).outcome).toBe('failed');
  });

  it('was not when a dying rank only prints what it had to print', async () => {
    const late = await judged({ 'console.log': `${firstAttempt}${steps(4, 4)}${launcherFailed}` });
    expect([late.outcome, firstOf(late)]).toEqual(['failed', 1]);
  });

  it('fails by the error that comes again in each attempt', async () => {
    const error = raised(1, 'OSError: bad shard');
    const again = await judged({
      'console.log': `${steps(0, 3)}${error}${workerFailed(1)}${steps(0, 30)}${error}${workerFailed(1)}`,
    });
    expect([again.outcome, firstOf(again)]).toEqual(['failed', 1]);
  });

  it('has a folder for each attempt', async () => {
    const files = (last: string) => ({
      'console.log': workerFailed(1),
      'logs/attempt_0/1/stderr.log': raised(1, 'OSError: bad shard'),
      'logs/attempt_1/0/stdout.log': `${steps(0, 30, () => '')}training finished\n`,
      'logs/attempt_1/1/stderr.log': last,
    });
    const wentOn = await judged(files('starting\n'));
    expect([wentOn.outcome, firstOf(wentOn)]).toEqual(['unknown', null]);
    const fell = await judged(files(raised(1, "KeyError: 'mask'")));
    expect([fell.outcome, firstOf(fell)]).toEqual(['failed', 1]);
  });
});

describe('an error that was logged', () => {
  const curve = steps(0, 20, () => '');
  const end = '10:00:07 training finished\n';

  it('was dealt with when the rank came to its end in its other file', async () => {
    const files = (outermost: string, last: string) => ({
      'attempt_0/0/stdout.log': `${curve}${end}`,
      'attempt_0/1/stdout.log': `${curve}${last}`,
      'attempt_0/1/stderr.log': raised(1, 'TimeoutError: part 6 is late', outermost),
    });
    const handled = await judged(files('main', end));
    expect([handled.outcome, firstOf(handled)]).toEqual(['unknown', null]);
    const both = await judged({
      ...files('main', end),
      'attempt_0/0/stderr.log': raised(0, 'TimeoutError: part 9 is late', 'main'),
    });
    expect([both.outcome, firstOf(both)]).toEqual(['unknown', null]);
    const uncaught = await judged(files('<module>', end));
    expect([uncaught.outcome, firstOf(uncaught)]).toEqual(['failed', 1]);
    const unfinished = await judged(files('main', ''));
    expect([unfinished.outcome, firstOf(unfinished)]).toEqual(['failed', 1]);
  });

  it('was dealt with when the rank went on, and another may still fail later', async () => {
    const logged = raised(0, 'TimeoutError: part 6 is late', 'main');
    const handled = await judged({ 'job.log': `${steps(0, 4)}${logged}${steps(5, 30)}` });
    expect([handled.outcome, firstOf(handled)]).toEqual(['unknown', null]);
    const fell = await judged({
      'job.log': `${steps(0, 4)}${logged}${steps(5, 30)}${raised(1, "KeyError: 'mask'")}${raised(0, hungUp)}`,
    });
    expect([fell.outcome, firstOf(fell)]).toEqual(['failed', 1]);
    const soon = await judged({ 'job.log': `${steps(0, 9)}${logged}${steps(10, 11)}` });
    expect([soon.outcome, firstOf(soon)]).toEqual(['unknown', null]);
    const atOnce = await judged({ 'job.log': `${steps(0, 4)}${logged}` });
    expect([atOnce.outcome, firstOf(atOnce)]).toEqual(['failed', 0]);
  });
});

describe('torch.multiprocessing.spawn', () => {
  const logs = Object.fromEntries(
    [0, 1, 2].map((rank) => [`rank_${rank}.log`, `epoch begins\nstep 0 loss 0.${rank + 4}\n`]),
  );
  const spawned = (process: number, error: string): string => `Traceback (most recent call last):
  File "/job/train.py", line 90, in <module>
    mp.spawn(work, nprocs=3)
  File "/env/site-packages/torch/multiprocessing/spawn.py", line 200, in join
    raise ProcessRaisedException(msg, error_index, failed_process.pid)
torch.multiprocessing.spawn.ProcessRaisedException:

-- Process ${process} terminated with the following error:
Traceback (most recent call last):
  File "/env/site-packages/torch/multiprocessing/spawn.py", line 90, in _wrap
    fn(i, *args)
  File "/job/train.py", line 33, in work
    loss.backward()
${error}
`;
  const exited = (word: string): string => `Traceback (most recent call last):
  File "/env/site-packages/torch/multiprocessing/spawn.py", line 190, in join
    raise ProcessExitedException(
torch.multiprocessing.spawn.ProcessExitedException: process 1 terminated with ${word}
`;

  it('names the rank that raised', async () => {
    const raisedBy = await judged({
      ...logs,
      'console.log': spawned(2, "TypeError: 'NoneType' object is not callable"),
    });
    expect([raisedBy.subcause, firstOf(raisedBy)]).toEqual(['code_error', 2]);
  });

  it('names the rank that died, and nobody who ended well', async () => {
    const killed = await judged({ ...logs, 'console.log': exited('signal SIGKILL') });
    expect([killed.outcome, killed.category, firstOf(killed)]).toEqual(['failed', 'memory_hardware', 1]);
    const left = await judged({ ...logs, 'console.log': exited('exit code 3') });
    expect([left.outcome, firstOf(left)]).toEqual(['failed', 1]);
    const ended = await judged({ ...logs, 'console.log': 'process 1 terminated with exit code 0\n' });
    expect([ended.outcome, firstOf(ended)]).toEqual(['unknown', null]);
  });

  it('passes on that another rank hung up, which is no error of the code', async () => {
    const { subcause, action } = await judged({ ...logs, 'console.log': spawned(1, hungUp) });
    expect([subcause, action]).toEqual(['missing_rank', 'unknown']);
    const pipe = `  File "/usr/lib/python3.11/multiprocessing/connection.py", line 368, in _recv
    chunk = read(handle, remaining)
ConnectionResetError: [Errno 104] Connection reset by peer`;
    expect((await judged({ ...logs, 'console.log': spawned(1, pipe) })).subcause).not.toBe('missing_rank');
  });
});

describe('a file of JSON lines', () => {
  const rows = (until: number): string =>
    Array.from({ length: until * 2 }, (_, at) =>
      JSON.stringify({ rank: at % 2, step: at >> 1, loss: 1 / (at + 2) }),
    ).join('\n');

  it('is read with the tracebacks of its ranks between the rows', async () => {
    const mixed = `${rows(6)}\n${raised(1, "KeyError: 'mask'")}${raised(0, hungUp)}${launcherFailed}`;
    const found = await judged({ 'console.log': mixed });
    expect([found.subcause, firstOf(found)]).toEqual(['code_error', 1]);
    const own = raised(1, "KeyError: 'mask'").replace(/^\[rank1\]: /gm, '');
    const apart = await judged({ 'rank_0.log': rows(6), 'rank_1.log': `${rows(6)}\n${own}` });
    expect([apart.subcause, firstOf(apart)]).toEqual(['code_error', 1]);
  });

  it('without them fails nobody, and a broken row is still told', async () => {
    const sound = await judged({ 'console.log': `${rows(6)}\n[rank0]: saved\n` });
    expect([sound.outcome, firstOf(sound)]).toEqual(['unknown', null]);
    const { notes } = await runOf({ 'console.log': `${rows(6)}\n{"step": 7, "loss"\n{"step": 8}\n` });
    expect(notes.map(({ kind }) => kind)).toEqual(['corrupt']);
  });
});

describe('stacks on a console', () => {
  const wait = `Timeout (0:05:00)!
Thread 0x00007f15683c7b80 (most recent call first):
  File "/env/site-packages/torch/distributed/distributed_c10d.py", line 3004 in all_reduce
  File "/job/train.py", line 61 in train
`;
  const fetch = `Timeout (0:05:00)!
Thread 0x00007f15683c7b80 (most recent call first):
  File "/job/data.py", line 18 in open_shard
  File "/job/data.py", line 9 in collate
  File "/env/site-packages/torch/utils/data/_utils/fetch.py", line 55 in fetch
  File "/job/train.py", line 58 in train
`;
  const late =
    'RuntimeError: [gloo/transport/tcp/unbound_buffer.cc:7] Timed out waiting 300000ms for recv operation to complete';
  const three = (stacks: string): string =>
    `${steps(0, 4)}[rank2]: step 4 loss 0.3\n${stacks}${raised(0, late)}${raised(2, late)}`;

  it('that name no rank belong to the one that says nothing', async () => {
    const stalled = await judged({ 'console.log': three(wait + fetch + wait) });
    expect([stalled.subcause, firstOf(stalled)]).toEqual(['loader_stall', 1]);
    expect(stalled.evidence[0]?.fact).toContain('rank 1 stands in open_shard');
    const waiting = await judged({ 'console.log': three(wait + wait) });
    expect(waiting.subcause).toBe('collective_timeout');
  });

  it('of a crash show where a rank died, not where it stands', async () => {
    const crash = `[rank1]: Fatal Python error: Segmentation fault

[rank1]: Current thread 0x00007f15683c7b80 (most recent call first):
[rank1]:   File "/job/train.py", line 44 in fuse
[rank1]:   File "/job/train.py", line 60 in <module>
`;
    const died = await judged({
      'console.log': `${steps(0, 4)}[rank2]: step 4 loss 0.3\n${crash}${raised(0, hungUp)}${raised(2, hungUp)}`,
    });
    expect([died.subcause, firstOf(died)]).toEqual(['native_crash', 1]);
  });
});
