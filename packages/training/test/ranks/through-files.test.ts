// What the files of a job tell together: which host has which ranks, where a device sits, when a kernel spoke, and what stands behind a
// sentence. Each statement stands beside a job that looks like it, of which it must not be said.
import { describe, expect, it } from 'vitest';
import { diagnoseRecord } from '../../src/index.js';
import { isOfAnotherDay } from '../../src/readers/collect/kernel-time.js';
import { rankMarksOf } from '../../src/readers/console/ranks/rank-mark.js';
import { runOf } from '../run-files.js';

async function judged(files: Readonly<Record<string, string>>) {
  const { ranks, subcause, action } = diagnoseRecord(await runOf(files));
  const { rank = null, host = null } = ranks?.first ?? {};
  return { first: rank, host, subcause, action };
}

const upTo = (count: number) => Array.from({ length: count }, (_, at) => at);
const lines = (count: number, of: (at: number) => string) => upTo(count).map(of).join('\n');
const each = (count: number, name: (at: number) => string, text: (at: number) => string) =>
  Object.fromEntries(upTo(count).map((at) => [name(at), text(at)]));
const lost = (rank: number) =>
  `[rank${rank}]: torch.distributed.DistBackendError: NCCL error: remote process exited, ncclRemoteError\n`;
const steps = `${lines(20, (at) => `2026-05-04 03:${10 + at}:07 step ${at} loss ${(3 - at / 9).toFixed(3)}`)}\n`;

describe('a host whose ranks say nothing', () => {
  const job = (first: (host: number) => number) =>
    each(
      3,
      (host) => `ab-${host + 4}/out.log`,
      (host) => `${steps}${host === 1 ? '' : lines(4, (at) => lost(first(host) + at).trim())}\n`,
    );

  it('has those between its neighbours’, unless these do not fit', async () => {
    expect(await judged(job((host) => host * 4))).toMatchObject({ first: 4, host: 'ab-5' });
    expect((await judged(job((host) => host * 3 + 1))).host).not.toBe('ab-5');
  });

  it('was taken away, as an event says of its name', async () => {
    const events =
      'LAST SEEN  TYPE  REASON  OBJECT  MESSAGE\n9m  Warning  Preempted  pod/ab-5  Preempted by another pod\n';
    expect(await judged({ ...job((host) => host * 4), 'events.txt': events })).toMatchObject({
      first: 4,
      subcause: 'preempted',
      action: 'restart',
    });
  });
});

describe('the place of a device', () => {
  const table = `index, pci.bus_id, name\n${lines(4, (at) => `${at}, 00000000:${at + 1}A:00.0, NVIDIA A100`)}\n`;
  const xid = (bus: string) =>
    `May  4 03:31:41 q3 kernel: NVRM: Xid (PCI:0000:${bus}:00): 74, pid='<unknown>', name=<unknown>, NVLink: fatal error detected on link 7\n`;
  const console = `${steps}${upTo(4).map(lost).join('')}`;

  it('is that of the rank with its number on the only host', async () => {
    const files = { 'gpus.csv': table, 'out.log': console };
    expect(await judged({ ...files, 'sys.txt': xid('3a') })).toMatchObject({
      first: 2,
      subcause: 'nvlink_fault',
    });
    expect((await judged({ ...files, 'sys.txt': xid('7a') })).first).toBeNull();
  });
});

describe('the log of a kernel', () => {
  const span = { start: Date.UTC(2026, 4, 4, 3), end: Date.UTC(2026, 4, 4, 4) };

  it.each([
    ['Apr 25 03:31:41 q3 kernel: NVRM: Xid 79', true],
    ['[Mon Apr 20 03:31:41 2026] NVRM: Xid 79', true],
    ['2026-04-20T03:31:41+00:00 q3 kernel: NVRM: Xid 79', true],
    ['May  4 03:31:41 q3 kernel: NVRM: Xid 79', false],
    ['[   91.3] NVRM: Xid 79', false],
    ['2026-04-20 03:31:41 loaded the model of that day', false],
  ])('%j: %s', (text, isOther) => {
    expect(isOfAnotherDay(text, span)).toBe(isOther);
    expect(isOfAnotherDay(text, { start: 0, end: 900 })).toBe(false);
  });
});

describe('a number behind a sentence', () => {
  it('is what the sentence is about, and a mark behind dates and hosts', () => {
    const told = (before: string) => lines(12, (at) => `${before}rank ${at % 2} step ${at >> 1} loss 1.5`);
    expect(rankMarksOf(told('pod-w0 library WARN other version found here : '))).toEqual([]);
    expect(rankMarksOf(told('2026-05-04 03:10:07 pod-w0 INFO '))).not.toEqual([]);
  });
});

describe('an address that a host announced', () => {
  const said = (host: string, address: string, end: string) =>
    `${lines(4, (at) => `${host}:22${at}:22${at} [${at}] NCCL INFO Bootstrap : Using eno1:${address}<0>`)}\n${lines(4, () => `Traceback (most recent call last):\n  File "/w/t.py", line 8, in <module>\n    dist.barrier()\ntorch.distributed.DistBackendError: NCCL error in: ProcessGroupNCCL.cpp:1691, unhandled system error, NCCL version 2.18.6\n${end}`)}\n`;
  const job = (target: string) => ({
    'ev-a.log': said(
      'ev-a',
      '10.0.4.21',
      `Last error:\nConnect to ${target}<40211> failed : Connection timed out`,
    ),
    'ev-b.log': said('ev-b', '172.17.0.1', 'Last error:\nConnection closed by remote peer'),
  });

  it('and that another cannot reach is of that host', async () => {
    expect(await judged(job('172.17.0.1'))).toMatchObject({ first: 4, host: 'ev-b' });
    expect((await judged(job('172.17.0.9'))).first).toBeNull();
  });
});

describe('a stack inside of a sharded model', () => {
  const stack = (pid: number, frames: string) =>
    `Process ${pid}: python train.py\nPython v3.11.9 (/usr/bin/python3.11)\n\nThread 0x7F10 (idle): "MainThread"\n${frames}    main (own/train.py:402)\n`;
  const waits =
    '    _wait_all_gather (torch/distributed/fsdp/_param_group.py:334)\n    forward (own/model.py:40)\n';
  const locked =
    '    acquire (logging/__init__.py:916)\n    info (logging/__init__.py:1489)\n    note (own/utils.py:88)\n';
  const gaveUp = lines(
    4,
    (rank) =>
      `[rank${rank}]:[E1111 15:50:08.05 ProcessGroupNCCL.cpp:629] [Rank ${rank}] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=77, OpType=ALLREDUCE, NumelIn=18, NumelOut=18, Timeout(ms)=600000) ran for 600066 milliseconds before timing out.`,
  );
  const job = (of: (rank: number) => string) => ({
    'console.log': `${steps}${gaveUp}\n`,
    ...each(
      4,
      (rank) => `dump.${rank}.txt`,
      (rank) => stack(500 + rank, of(rank)),
    ),
  });

  it('waits, and one in a lock of its own does not', async () => {
    expect(await judged(job((rank) => (rank === 2 ? locked : waits)))).toMatchObject({
      first: 2,
      subcause: 'stuck_rank',
      action: 'fix_code',
    });
    expect((await judged(job(() => waits))).subcause).not.toBe('stuck_rank');
  });
});

describe('collectives that became slow on every rank', () => {
  const rows = (own: number, work: number) =>
    each(
      4,
      (rank) => `t/rank${rank}.jsonl`,
      (rank) =>
        lines(
          40,
          (at) =>
            `{"rank": ${rank}, "step": ${at}, "fwd_ms": ${(at < 18 ? 200 : work) + (at % 3)}, "allreduce_ms": ${(at < 18 ? 110 : own) + (at % 4)}, "step_ms": ${310 + (at < 18 ? 0 : own - 110 + work - 200) + (at % 3)}}`,
        ),
    );

  it('are a slow link though the whole step is told too, unless other work grew', async () => {
    expect((await judged(rows(1200, 200))).subcause).toBe('slow_link');
    expect((await judged(rows(1200, 900))).subcause).not.toBe('slow_link');
  });
});

describe('a process that is marked once with its rank', () => {
  const worker = (at: number, text: string) => `(Worker pid=${400 + at}, ip=10.1.0.${at >> 1}) ${text}\n`;
  const job = (pid: number) => ({
    'driver.log': `${upTo(4)
      .map((at) => worker(at, `[rank=${at}] set up`))
      .join(
        '',
      )}${lines(12, (at) => worker(0, `step ${at} loss ${3 - at / 9}`).trim())}\n${worker(pid, 'Traceback (most recent call last):')}${worker(pid, '  File "/w/t.py", line 9, in fit')}${worker(pid, "KeyError: 'mask'")}`,
  });

  it('is that rank later on, and another process is none', async () => {
    expect(await judged(job(3))).toMatchObject({ first: 3, host: '10.1.0.1' });
    expect((await judged(job(7))).first).toBeNull();
  });
});
