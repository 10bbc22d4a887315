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

describe('a pipeline, in which each waits for its neighbours', () => {
  /** `late`: from this step on the stage works longer. */
  const stages = (late: (stage: number) => number) =>
    Array.from({ length: 30 }, (_, step) =>
      [2, 0, 3, 1].map((stage) => {
        const work = step >= late(stage) ? 190 : 60;
        return `stage${stage}| step ${step} compute ${work + ((step + stage) % 4)}ms wait ${step >= 12 ? 300 + ((step * 7 + stage) % 9) * 10 : 60}ms loss ${(2 - step / 40).toFixed(3)}\n`;
      }),
    )
      .flat()
      .join('');

  it('has a slow stage where one alone turned slow in its own work', async () => {
    expect(await judged(stages((stage) => (stage === 3 ? 12 : 99)))).toEqual({
      first: 3,
      subcause: 'straggler',
    });
  });

  it('has none where all did, or where one had more work from the beginning on', async () => {
    expect((await judged(stages(() => 12))).first).toBe(null);
    expect((await judged(stages((stage) => (stage === 3 ? 0 : 99)))).first).toBe(null);
  });
});

describe('an evaluation of one rank', () => {
  it('says nothing of the lines of another', async () => {
    const lines = Array.from({ length: 24 }, (_, step) => {
      const said = (rank: number) =>
        `[1,${rank}]<stdout>:batch ${step} | loss ${(2 - step / 30 + (step % 3) / 9).toFixed(4)}\n`;
      const evaluating = step % 8 === 7 ? `[1,0]<stdout>:running validation on 90 batches\n` : '';
      const scored = step % 8 === 7 ? `[1,0]<stdout>:val_loss ${(2.1 - step / 30).toFixed(4)}\n` : '';
      return said(0) + evaluating + said(3) + said(1) + said(2) + scored;
    });
    const { ranks, subcause } = diagnoseRecord(await runOf({ 'console.log': lines.join('') }));
    expect({ first: ranks?.first ?? null, subcause }).toEqual({ first: null, subcause: null });
  });
});

describe('what a line does not begin with', () => {
  const bar = (at: number) =>
    `[default0]:epoch 1: ${at}%|#         | ${at}/40 [00:0${at % 10}<01:00,  2.3it/s]`;
  const told = (rank: number, step: number, late: boolean) =>
    `[default${rank}]:step=${step} data=${late ? 0.31 : 0.002}s fwd=0.1s bwd+sync=${late ? 0.01 : 0.3}s\n`;
  const log = (slow: number | null) =>
    Array.from({ length: 40 }, (_, step) =>
      [3, 1, 0, 2].map((rank, at) => {
        const line = told(rank, step, rank === slow);
        return at === 0 ? bar(step) + line : line;
      }),
    )
      .flat()
      .join('');
  it('is of the rank whose mark stands within it, behind a bar that was left open', async () => {
    expect(await judged(log(3))).toEqual({ first: 3, subcause: 'slow_loader' });
    expect((await judged(log(null))).first).toBe(null);
  });

  it('is of the process whose rank a launcher told', async () => {
    const seats = [0, 1, 2, 3].map(
      (rank) =>
        `(TorchTrainer pid=77) - (node_id=a4, ip=10.0.0.${rank < 2 ? 4 : 5}, pid=${900 + rank}) world_rank=${rank}, local_rank=${rank % 2}, node_rank=${rank < 2 ? 0 : 1}\n`,
    );
    const form = forms[2]![1];
    const of = (slow: Parameters<typeof consoleOf>[1]) =>
      seats.join('') +
      consoleOf(
        (line) =>
          `(RayTrainWorker pid=${900 + line.rank}, ip=10.0.0.${line.rank < 2 ? 4 : 5}) ${form(line).replace(/^unit \d\/4 /, '')}`,
        slow,
      );
    expect(await judged(of({ rank: 1, of: 'data' }))).toEqual({ first: 1, subcause: 'slow_loader' });
    expect((await judged(of(null))).first).toBe(null);
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
