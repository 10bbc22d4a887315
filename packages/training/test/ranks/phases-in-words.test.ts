// Times of the parts of a step in a program's own words, in one console of all ranks: whose line it is, which number counts the steps, and
// which are times. Each slow rank stands beside the same console without one.
import { describe, expect, it } from 'vitest';
import { diagnoseRecord } from '../../src/index.js';
import { runOf } from '../readers/run-of.js';

interface Line {
  readonly rank: number;
  readonly step: number;
  readonly loss: string;
  readonly data: number;
  readonly work: number;
  readonly wait: number;
}

const forms: readonly (readonly [string, (line: Line) => string])[] = [
  [
    'objects',
    (of) =>
      JSON.stringify({
        rank: of.rank,
        step: of.step,
        loss: Number(of.loss),
        data_s: of.data,
        compute_s: of.work,
        wait_s: of.wait,
      }),
  ],
  [
    'objects behind a date',
    (of) =>
      `2026-10-04 11:00:${String(10 + of.step).slice(0, 2)} INFO ${JSON.stringify({ step: of.step, rank: of.rank, loss: Number(of.loss), data_s: of.data, compute_s: of.work, wait_s: of.wait })}`,
  ],
  [
    'names that are spelled as times',
    (of) =>
      `unit ${of.rank}/4 iter ${String(of.step).padStart(6)}  loss ${of.loss}  t_data ${of.data.toFixed(3)}  t_comp ${of.work.toFixed(3)}  t_wait ${of.wait.toFixed(3)}`,
  ],
  [
    'milliseconds in names',
    (of) =>
      `<${of.rank}> step ${of.step} loss ${of.loss} load_ms ${(of.data * 1e3).toFixed(1)} fwd_ms ${(of.work * 1e3).toFixed(1)} sync_ms ${(of.wait * 1e3).toFixed(1)}`,
  ],
  [
    'a mark that looks like a counter',
    (of) =>
      `(${of.rank}/4) [${of.step + 1}/40] loss: ${of.loss} | data ${(of.data * 1e3).toFixed(0)} ms | fwd+bwd ${(of.work * 1e3).toFixed(0)} ms | allreduce ${(of.wait * 1e3).toFixed(0)} ms`,
  ],
  [
    'a mark behind the host',
    (of) =>
      `[gn${of.rank < 2 ? 4 : 5}:${of.rank}] [${of.step + 1}/40] loss: ${of.loss} | data ${(of.data * 1e3).toFixed(0)} ms | fwd ${(of.work * 1e3).toFixed(0)} ms | allreduce ${(of.wait * 1e3).toFixed(0)} ms`,
  ],
  [
    'the mark of Horovod',
    (of) =>
      `[${of.rank}]<stdout>:step=${of.step} loss=${of.loss} data=${of.data.toFixed(3)}s compute=${of.work.toFixed(3)}s sync=${of.wait.toFixed(3)}s`,
  ],
];

/** Ranks print in any order. */
function consoleOf(form: (line: Line) => string, slow: { rank: number; of: 'data' | 'work' } | null): string {
  const lines = ['started 4 processes\n'];
  for (let step = 0; step < 40; step++)
    for (let at = 0; at < 4; at++) {
      const rank = (at * 3 + step) % 4;
      const late = slow?.rank === rank;
      const jitter = ((step * 7 + rank * 3) % 5) / 1000;
      lines.push(
        `${form({
          rank,
          step,
          loss: (2.4 - step / 40 + jitter).toFixed(4),
          data: (late && slow.of === 'data' ? 0.31 : 0.004) + jitter,
          work: (late && slow.of === 'work' ? 0.33 : 0.06) + jitter,
          wait: (slow === null || late ? 0.01 : 0.29) + jitter,
        })}\n`,
      );
    }
  return lines.join('');
}

async function judged(text: string) {
  const { ranks, subcause } = diagnoseRecord(await runOf({ 'console.log': text }));
  return { first: ranks?.first?.rank ?? null, subcause };
}

describe.each(forms)('times of each step as %s', (_name, form) => {
  it('show the slow rank, and why', async () => {
    expect(await judged(consoleOf(form, { rank: 2, of: 'work' }))).toEqual({
      first: 2,
      subcause: 'straggler',
    });
    expect(await judged(consoleOf(form, { rank: 0, of: 'data' }))).toEqual({
      first: 0,
      subcause: 'slow_loader',
    });
  });

  it('show nobody where all are alike', async () => {
    expect((await judged(consoleOf(form, null))).first).toBe(null);
  });
});

describe('numbers that look like marks', () => {
  it('count epochs where they only go up', async () => {
    const lines = Array.from(
      { length: 60 },
      (_, at) => `[${Math.floor(at / 20)}/3] ${(at % 20) + 1}/20 loss ${(2 - at / 60).toFixed(3)}\n`,
    );
    const { ranks } = diagnoseRecord(await runOf({ 'console.log': lines.join('') }));
    expect(ranks).toBeUndefined();
  });
});
