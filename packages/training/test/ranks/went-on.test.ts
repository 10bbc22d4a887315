// A job that went on after trouble, or came to its end, has no failure to tell of. Each case has a twin that did not go on.
import { describe, expect, it } from 'vitest';
import { diagnoseRecord } from '../../src/index.js';
import { runOf } from '../readers/run-of.js';

async function alarmOf(files: Record<string, string>) {
  const { outcome, subcause } = diagnoseRecord(await runOf(files));
  return outcome === 'failed' || outcome === 'degraded' ? (subcause ?? 'failed') : null;
}

const stamp = (seconds: number): string =>
  new Date(Date.UTC(2026, 1, 3, 8, 0, seconds)).toISOString().slice(0, 19).replace('T', ' ');
const steps = (rank: number, from: number, to: number): string =>
  Array.from({ length: to - from }, (_, at) => from + at)
    .map(
      (step) => `[rank${rank}]: ${stamp(step * 60)} step ${step} loss ${(1 + 6 / (1 + step)).toFixed(4)}\n`,
    )
    .join('');
const both = (from: number, to: number): string => steps(0, from, to) + steps(1, from, to);
const all = (word: string): string =>
  [0, 1].map((rank) => `[rank${rank}]: ${stamp(3000)} ${word}\n`).join('');

describe('a port that went down for a moment', () => {
  const down = '2026-02-03T08:10:20 n2 kernel: mlx5_core 0000:41:00.1 ib1: Link down\n';

  it('is no failure where the steps go on behind it, or every rank says its end', async () => {
    expect(await alarmOf({ 'n1.log': both(0, 40), 'dmesg_n2.txt': down })).toBeNull();
    expect(await alarmOf({ 'n1.log': both(0, 9) + all('finished'), 'dmesg_n2.txt': down })).toBeNull();
  });

  it('is one where nothing goes on, or the ranks end with a part of their work', async () => {
    expect(await alarmOf({ 'n1.log': both(0, 9), 'dmesg_n2.txt': down })).toBe('network_link');
    const saved = both(0, 9) + all('checkpoint finished');
    expect(await alarmOf({ 'n1.log': saved, 'dmesg_n2.txt': down })).toBe('network_link');
  });
});

describe('a signal from outside', () => {
  const stopped = 'slurmstepd: error: *** STEP 7.0 ON n1 CANCELLED AT 2026-02-03T09:00:00 ***\n';
  const evicted = '58m  Warning  Evicted  pod/t-worker-1  The node was low on resource: memory.\n';

  it('ends nothing that was over', async () => {
    const over = `${both(0, 30)}[rank0]: training complete, model written\n${stopped}`;
    expect(await alarmOf({ 'job.out': over })).toBeNull();
    expect(await alarmOf({ 'job.log': both(0, 30) + all('all done'), 'events.txt': evicted })).toBeNull();
  });

  it('ends what went on after these words, or never said them', async () => {
    const later = `${both(0, 15)}[rank0]: training complete, now the next phase\n${both(15, 30)}${stopped}`;
    expect(await alarmOf({ 'job.out': later })).toBe('terminated');
    expect(await alarmOf({ 'job.log': both(0, 30), 'events.txt': evicted })).toBe('preempted');
  });
});

describe('a container that a pod had before', () => {
  const state = (name: string, code: number): string =>
    `    ${name}:     Terminated\n      Reason:  ${code === 0 ? 'Completed' : 'Error'}\n      Exit Code:  ${code}\n`;
  const job = (now: number, before: number) => ({
    'w-0.log': both(0, 30),
    'describe_w-1.txt': `  trainer:\n${state('State', now)}${state('Last State', before)}`,
  });

  it('decides nothing, and the last one does', async () => {
    expect(await alarmOf(job(0, 1))).toBeNull();
    expect(await alarmOf(job(1, 0))).toBe('failed');
  });
});

describe('a rank that was slow', () => {
  const times = (rank: number, isSlow: (step: number) => boolean): string =>
    Array.from({ length: 60 }, (_, step) => {
      const [work, wait] = isSlow(step) ? (rank === 2 ? [0.9, 0.05] : [0.4, 0.55]) : [0.4, 0.05];
      return `${step},${work + rank / 1000},${wait + rank / 1000}\n`;
    }).join('');
  const job = (isSlow: (step: number) => boolean) =>
    Object.fromEntries(
      [0, 1, 2, 3].map((rank) => [`rank_${rank}.csv`, `step,compute_time,wait_time\n${times(rank, isSlow)}`]),
    );

  it('and kept up again until the end is none, and one that stays slow is', async () => {
    expect(await alarmOf(job((step) => step < 42))).toBeNull();
    expect(await alarmOf(job(() => true))).toBe('straggler');
  });

  it('by what is told of it counts as long as it is told', async () => {
    const told = (until: number): string =>
      Array.from({ length: 40 }, (_, at) => at)
        .map((step) => steps(0, step, step + 1) + (step < until ? '[rank0]: slowest rank: 3\n' : ''))
        .join('');
    expect(await alarmOf({ 'job.log': told(20) })).toBeNull();
    expect(await alarmOf({ 'job.log': told(40) })).toBe('straggler');
  });
});

describe('an error that a logger told of behind the last step', () => {
  const caught = (rank: number): string =>
    [
      `${stamp(2900)} ERROR no tracker, metrics stay here`,
      'Traceback (most recent call last):',
      '  File "/job/train.py", line 14, in main',
      '    import tracker',
      "ModuleNotFoundError: No module named 'tracker'",
      '',
    ]
      .map((line) => (line ? `[rank${rank}]: ${line}\n` : ''))
      .join('');
  const log = (word: string) => both(0, 30) + caught(0) + caught(1) + all(word);

  it('is no failure where every rank says its end behind it', async () => {
    expect(await alarmOf({ 'train.log': log('run complete, 3 records left out') })).toBeNull();
  });

  it('is one where the last word is another', async () => {
    expect(await alarmOf({ 'train.log': log('giving up') })).toBe('missing_package');
  });
});
