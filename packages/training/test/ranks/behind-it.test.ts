// What stands behind an error or a stack of a rank: where the rank goes on with its work, it was neither ended nor held up. Each statement
// stands beside a job that looks like it and in which the rank does not go on.
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
const joined = (lines: readonly string[]) => `${lines.join('\n')}\n`;
const silent = { first: null, isBad: false };

describe('an error of which the program says that it passed it over', () => {
  const at = (minute: number, rank: number) =>
    `2026-05-12 08:${String(10 + minute).padStart(2, '0')}:0${rank},300`;
  const say = (rank: number, minute: number, text: string, level = 'INFO') =>
    `${level} ${at(minute, rank)} tiles r${rank} ${text}`;
  const refused = [
    'Traceback (most recent call last):',
    '  File "/srv/tiles/run.py", line 21, in <module>',
    '    tile = decode(raw)',
    '  File "/srv/tiles/run.py", line 9, in decode',
    '    return np.frombuffer(raw).reshape(64, 64)',
    'ValueError: cannot reshape array of size 4031 into shape (64,64)',
  ];
  const job = (bad: number, words: string, until = 8, level = 'ERROR') => ({
    'tiles.log': joined(
      upTo(8).flatMap((minute) =>
        upTo(3).flatMap((rank) => [
          ...(rank === bad && minute >= until
            ? []
            : [say(rank, minute, `tile ${minute * 30} of 240, sum ${minute * 71}`)]),
          ...(rank === bad && minute === until - 4 ? [say(rank, minute, words, level), ...refused] : []),
          ...(rank === bad && minute === until - 1 && until < 8
            ? [say(rank, minute, words, level), ...refused]
            : []),
        ]),
      ),
    ),
  });

  it('ended nothing where the rank goes on, at whichever level it was said', async () => {
    for (const [rank, words] of [
      [0, 'tile 127 skipped (1 so far)'],
      [2, 'ignoring tile 127'],
    ] as const)
      for (const level of ['ERROR', 'WARNING'])
        expect(await judged(job(rank, words, 8, level))).toMatchObject(silent);
  });

  it('is where it began where the program does not say so, and says no more', async () => {
    const stopped = job(1, 'cannot decode tile 127', 4);
    expect(await judged(stopped)).toMatchObject({ first: 1, isBad: true });
  });

  it('does not hide who died later', async () => {
    const died = joined([
      say(2, 9, 'no place for the index', 'ERROR'),
      'Traceback (most recent call last):',
      '  File "/srv/tiles/run.py", line 40, in <module>',
      '    index.flush()',
      "OSError: [Errno 28] No space left on device: '/out/index.bin'",
    ]);
    const { 'tiles.log': text } = job(0, 'tile 127 skipped');
    expect(await judged({ 'tiles.log': `${text}${died}` })).toMatchObject({
      first: 2,
      subcause: 'disk_full',
    });
  });
});

describe('a stack that faulthandler prints again and again', () => {
  const own = [
    '  File "/srv/map/fit.py", line 17 in collate',
    '  File "/srv/map/fit.py", line 52 in <module>',
  ];
  const waits = [
    '  File "/opt/env/lib/python3.12/site-packages/torch/distributed/distributed_c10d.py", line 3010 in all_reduce',
    '  File "/srv/map/fit.py", line 52 in <module>',
  ];
  const dump = (busy: number) =>
    upTo(4).flatMap((rank) =>
      [
        'Timeout (0:00:20)!',
        `Thread 0x00007f1${rank}d7c96b80 (most recent call first):`,
        ...(rank === busy ? own : waits),
      ].map((line) => `[default${rank}]:${line}`),
    );
  const counted = (round: number) =>
    upTo(4).map((rank) => `[default${rank}]:[${String(round * 40).padStart(4)}] process_no=${rank} fine`);
  const job = (end: readonly string[]) => ({
    'out.txt': joined([...upTo(6).flatMap((round) => [...counted(round), ...dump(round % 4)]), ...end]),
  });

  it('tells of no stop where the ranks count on behind the last one, or say their end', async () => {
    expect(await judged(job(counted(6)))).toMatchObject(silent);
    const ended = upTo(4).map((rank) => `[default${rank}]:process_no=${rank} 240/240 finished`);
    expect(await judged(job(ended))).toMatchObject(silent);
  });

  it('tells of one where nothing comes behind it, or only that nothing moves', async () => {
    const still = [...dump(2), ...dump(2)];
    expect(await judged(job(still))).toMatchObject({ first: 2, isBad: true });
    const told = upTo(4).map((rank) => `[default${rank}]:no progress for 60 s`);
    const later = upTo(4).map((rank) => `[default${rank}]:no progress for 90 s`);
    expect(await judged(job([...told, ...still, ...later]))).toMatchObject({ first: 2, isBad: true });
  });

  it('tells of one where others complain behind it', async () => {
    const ranOut = [0, 1, 3].flatMap((rank) =>
      [
        'Traceback (most recent call last):',
        '  File "/srv/map/fit.py", line 52, in <module>',
        '    dist.all_reduce(total)',
        'RuntimeError: [/src/gloo/transport/tcp/unbound_buffer.cc:78] Timed out waiting 60000ms for recv operation to complete',
      ].map((line) => `[default${rank}]:${line}`),
    );
    expect(await judged(job([...dump(2), ...ranOut]))).toMatchObject({ first: 2, isBad: true });
  });
});
