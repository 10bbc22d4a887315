// Consoles that do not say whose a line is: what a launcher tells of the ends of its processes, and what such an end cannot tell.
import { describe, expect, it } from 'vitest';
import { diagnoseRecord } from '../../src/index.js';
import { runOf } from '../readers/run-of.js';

async function judged(text: string, files: Readonly<Record<string, string>> = {}) {
  const { ranks, subcause, category, action } = diagnoseRecord(await runOf({ 'job.log': text, ...files }));
  return { first: ranks?.first?.rank ?? null, subcause, category, action: action ?? null };
}

const steps = Array.from({ length: 9 }, (_, at) => `step ${at} loss ${(1.9 - at / 30).toFixed(3)}\n`).join(
  '',
);
const raised = (error: string, line = 41) =>
  `Traceback (most recent call last):\n  File "/job/fit.py", line 90, in <module>\n    main()\n  File "/job/fit.py", line ${line}, in main\n    work(batch)\n${error}\n`;
const own = raised("KeyError: 'width'", 55);
const lost = (port: number) =>
  raised(`RuntimeError: [gloo/transport/tcp/pair.cc:553] Connection closed by peer [10.1.0.4]:${port}`);
const two = lost(4011) + lost(4012);

const block = (at: number, rank: number, time: string, code = 1) =>
  `[${at}]:\n  time      : 2026-10-04_${time}\n  host      : gn4\n  rank      : ${rank} (local_rank: ${rank})\n  exitcode  : ${code} (pid: ${7000 + rank})\n  error_file: <N/A>\n`;
const torchrun = (root: string, ...others: string[]) =>
  `torch.distributed.elastic.multiprocessing.errors.ChildFailedError: \nfit.py FAILED\nFailures:\n${others.length > 0 ? others.join('') : '  <NO_OTHER_FAILURES>\n'}Root Cause (first observed failure):\n${root}`;
const mpirun = (rank: number, code: number) =>
  `${'-'.repeat(74)}\nPrimary job  terminated normally, but 1 process returned\na non-zero exit code. Per user-direction, the job has been aborted.\n${'-'.repeat(74)}\nmpirun detected that one or more processes exited with non-zero status, thus causing\nthe job to be terminated. The first process to do so was:\n\n  Process name: [[4471,1],${rank}]\n  Exit code:    ${code}\n`;
const horovod = (rank: number, code: number) =>
  `RuntimeError: Horovod detected that one or more processes exited with non-zero status, thus causing the job to be terminated. The first process to do so was:\nProcess name: ${rank}\nExit code: ${code}\n`;
const srun = (...ranks: number[]) =>
  ranks.map((rank) => `srun: error: gn4: task ${rank}: Exited with exit code 1\n`).join('');

describe('the only error of its own that no line marks', () => {
  it.each([
    ['torchrun, alone', torchrun(block(0, 2, '10:00:07'))],
    [
      'torchrun, earlier',
      torchrun(block(0, 0, '10:00:07'), block(1, 1, '10:00:09'), block(2, 2, '10:00:09')),
    ],
    ['torchrun, before lower numbers', torchrun(block(0, 3, '10:00:07'), block(1, 1, '10:00:07'))],
    ['srun', srun(3, 1, 0)],
    ['mpirun', mpirun(2, 1)],
    ['Horovod', horovod(1, 1)],
  ])('is of whom the launcher saw fail first: %s', async (_name, told) => {
    const first = Number(/(?:\[0\]:[^[]*rank {6}: |task |\[4471,1\],|name: )(\d)/.exec(told)![1]);
    expect(await judged(steps + own + two + told)).toMatchObject({ first, subcause: 'code_error' });
  });

  it('is of nobody where torchrun found several dead at once, or every rank raised it', async () => {
    const atOnce = torchrun(block(0, 0, '10:00:07'), block(1, 1, '10:00:07'), block(2, 2, '10:00:07'));
    expect(await judged(steps + own + two + atOnce)).toMatchObject({ first: null, subcause: 'code_error' });
    const all = `world_size: 3\n${steps}${own.repeat(3)}${mpirun(1, 1)}`;
    expect(await judged(all)).toMatchObject({ first: null, subcause: 'code_error' });
  });

  it('is none of a rank that tells of others in words of its own', async () => {
    const told = steps + own + lost(4012).replace(/^/gm, '[rank2]: ') + mpirun(2, 1);
    expect((await judged(told)).first).not.toBe(2);
  });
});

describe('a code that an exception leaves', () => {
  it('names nobody where it is not known who complains of others', async () => {
    expect(await judged(steps + two + mpirun(1, 1))).toMatchObject({ first: null });
    expect(await judged(steps + two + mpirun(1, 17))).toMatchObject({ first: 1 });
  });
});

describe('what tells of no rank', () => {
  it('still tells what to do, where somebody lost another', async () => {
    expect(await judged(steps + own + two)).toMatchObject({ first: null, action: 'fix_code' });
    expect(await judged(steps + own)).toMatchObject({ action: null });
  });

  it('names the process of a kernel only where it is known whose it is', async () => {
    const kernel =
      '[9914.2] Out of memory: Killed process 6120 (python) total-vm:90112kB, anon-rss:80112kB\n';
    const log = (pid: number) =>
      [0, 1].map((rank) => `[rank${rank}]: up on host gn4, pid ${pid + rank}\n`).join('') +
      [2, 3].map((rank) => `[rank${rank}]: up on host gn5, pid ${pid + rank}\n`).join('') +
      two;
    const known = await judged(log(6119), { 'dmesg_gn4.txt': kernel });
    expect(known).toMatchObject({ first: 1, subcause: 'host_memory' });
    const unknown = await judged(log(900).replace(/, pid \d+/g, ''), { 'dmesg_gn4.txt': kernel });
    expect(unknown).toMatchObject({ first: null, subcause: 'host_memory' });
  });
});

describe('processes that were spawned', () => {
  const parent =
    'Traceback (most recent call last):\n  File "/job/fit.py", line 99, in <module>\n    mp.spawn(main, nprocs=3)\n';
  it('are several, though only the first left words', async () => {
    const told = `${parent}torch.multiprocessing.spawn.ProcessRaisedException: \n\n-- Process 0 terminated with the following error:\n${raised('IndexError: list index out of range')}`;
    expect(await judged(steps + told)).toMatchObject({ first: 0 });
    const killed = `${parent}torch.multiprocessing.spawn.ProcessExitedException: process 0 terminated with signal SIGKILL\n`;
    expect(await judged(steps + killed)).toMatchObject({ first: 0 });
  });

  it('began nowhere where somebody interrupted them', async () => {
    const told = [2, 0].map((rank) => raised('KeyboardInterrupt').replace(/^/gm, `[rank${rank}]: `)).join('');
    expect(await judged(`world_size: 4\n${steps}${told}`)).toMatchObject({ first: null });
  });
});

describe('a worker of a loader that is gone', () => {
  const said = (signal: string) =>
    ['[rank1]: up', '[rank0]: up'].join('\n') +
    `\n${steps}${raised(`RuntimeError: DataLoader worker (pid 5120) is killed by signal: ${signal}. `).replace(/^/gm, '[rank1]: ')}`;
  it('is for the operator where it was killed, and for the author where it crashed', async () => {
    expect(await judged(said('Killed'))).toMatchObject({
      first: 1,
      subcause: 'worker_death',
      action: 'unknown',
    });
    expect(await judged(said('Segmentation fault'))).toMatchObject({ action: 'fix_code' });
  });
});
