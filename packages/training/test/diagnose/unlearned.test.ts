// What curves show of runs that learned nothing, or lost what they had learned, each beside a healthy run of the same form.
import { describe, expect, it } from 'vitest';
import { diagnoseRecord } from '../../src/diagnose/diagnose.js';
import { identifyMetric } from '../../src/record/metrics.js';
import { curve, logOf, runOf } from '../readers/run-of.js';
import { wobble } from '../run-files.js';

const failing = ['optimization', 'data_pipeline', 'model_software', 'memory_hardware'];
const lines = (length: number, line: (at: number) => string) =>
  `${Array.from({ length }, (_, at) => line(at)).join('\n')}\n`;
const table = async (header: string, length: number, row: (at: number) => string) =>
  diagnoseRecord(await runOf({ 'progress.csv': `${header}\n${lines(length, row)}` }));

describe('rewards', () => {
  const episodes = async (reward: (at: number) => number) =>
    diagnoseRecord(
      await logOf(
        lines(400, (at) => `Episode ${at} reward ${reward(at).toFixed(2)} eps ${(0.99 ** at).toFixed(3)}`),
      ),
    );

  it('that never exceed those of the first episodes are no learning', async () => {
    expect(await episodes((at) => -17 - at / 400 + 1.5 * wobble(at))).toMatchObject({
      category: 'optimization',
      subcause: 'plateau',
    });
  });

  it('that are always exactly nothing are no learning', async () => {
    expect(await episodes(() => 0)).toMatchObject({ subcause: 'plateau' });
  });

  it.each([
    ['rise', (at: number) => -17 + at / 40 + 1.5 * wobble(at)],
    ['cancel out between two players', (at: number) => 2 * wobble(at)],
    ['are at their most from the beginning', (at: number) => (at % 3 === 0 ? 199 + wobble(at) : 200)],
  ])('that %s are no failure', async (_how, reward) => {
    expect(failing).not.toContain((await episodes(reward)).category);
  });

  describe('while the error of the values grows many times', () => {
    const values = (reward: (at: number) => number, growth: number) =>
      table('episode,reward,value_loss', 200, (at) =>
        [at, reward(at), 300 * growth ** (at / 200) * (1 + 0.3 * wobble(at))].join(),
      );
    const low = (at: number) => (at % 10 === 7 ? at - 60 : -90 + 8 * wobble(3 * at));

    it('and stay where they began are of values that ran away', async () => {
      expect(await values(low, 60)).toMatchObject({ category: 'optimization', subcause: 'divergence' });
    });

    it.each([
      ['rise with it', (at: number) => low(at) + at, 60],
      ['are at their most from the beginning', (at: number) => (at % 40 === 7 ? 150 : 200), 60],
      ['stay where they began, and it hardly grows', low, 2],
    ])('and %s are not', async (_how, reward, growth) => {
      expect((await values(reward, growth)).subcause).not.toBe('divergence');
    });
  });

  it('of one lucky episode are not lost again', async () => {
    const said = await episodes((at) => (at === 150 || at === 151 ? 40 : -17 + at / 40 + 1.5 * wobble(at)));
    expect(failing).not.toContain(said.category);
  });

  it('say more than the loss of a policy, under the names of their tools', async () => {
    const rows = (reward: (at: number) => number) =>
      table('rollout/ep_rew_mean,time/iterations,train/loss', 60, (at) =>
        [reward(at) + wobble(at), at + 1, at < 5 ? '' : 0.5 * 1.1 ** at].join(),
      );
    expect(await rows((at) => 3 * at)).toMatchObject({ outcome: 'healthy' });
    // A little more than at first is no proof.
    expect((await rows((at) => 50 + at / 4)).outcome).toBe('unknown');
    // What was earned once is gone.
    expect((await rows((at) => (at < 30 ? 3 * at : 25))).outcome).not.toBe('healthy');
  });

  it('that fall are of a wrong objective only from the beginning on, and where no other tells of more', async () => {
    const from = (first: number, other = '') =>
      table(`step,mean_reward${other === '' ? '' : ',episode_return'}`, 30, (at) =>
        [first + at, 0.7 - 0.02 * at + 0.01 * wobble(at), ...(other === '' ? [] : [other])].join(),
      );
    expect(await from(0)).toMatchObject({ subcause: 'wrong_objective' });
    expect(await from(133)).toMatchObject({ category: 'optimization', subcause: 'policy_collapse' });
    expect(failing).not.toContain((await from(0, '3000')).category);
  });

  it('are read behind the number of episodes that they are a mean of', async () => {
    const run = await logOf(lines(6, (at) => `Avg learning reward last 100 episodes: ${at / 2}`));
    expect([...curve(run, 'reward').values]).toEqual([0, 0.5, 1, 1.5, 2, 2.5]);
  });

  it.each([
    ['Avg learning reward last 100 episodes', 'reward'],
    ['rollout/ep_rew_mean', 'reward'],
    ['eprewmean', 'reward'],
    ['eval/mean_reward', 'reward'],
    ['reward_std', 'other'],
    ['max_reward', 'other'],
    ['intrinsic_reward', 'other'],
    ['micro f1 on dev', 'f1'],
    ['f1_class_3', 'other'],
    ['training_losses', 'loss'],
    ['dloss', 'loss'],
    ['logloss', 'loss'],
  ])('%s is %s', (name, metric) => {
    expect(identifyMetric(name).metric).toBe(metric);
  });
});

describe('what a KL term leaves', () => {
  const epochs = (kl: (at: number) => number, rebuilt: (at: number) => number) =>
    table('epoch,train_kl,train_recon', 40, (at) => [at, kl(at), rebuilt(at)].join());

  it('is a collapse where it is gone for long and nothing is rebuilt better', async () => {
    const said = await epochs(
      (at) => 0.1 * 0.5 ** Math.min(at, 8) * 0.95 ** at,
      (at) => (at === 0 ? 0.4 : 0.325 - 0.00002 * at),
    );
    expect(said).toMatchObject({ subcause: 'mode_collapse' });
  });

  it('is none where what is rebuilt gets better', async () => {
    const said = await epochs(
      (at) => 0.1 * 0.5 ** Math.min(at, 8) * 0.95 ** at,
      (at) => 0.4 * 0.97 ** at,
    );
    expect(failing).not.toContain(said.category);
  });
});

describe('a discriminator', () => {
  const epochs = (judge: (at: number) => number) =>
    table('epoch,d_loss,g_loss', 80, (at) => [at, judge(at), 0.3 + 3 * 0.95 ** at].join());

  it('that is never wrong any more leaves nothing to learn from', async () => {
    expect(await epochs((at) => (at < 55 ? 0.02 * 0.9 ** at : 0))).toMatchObject({
      subcause: 'mode_collapse',
    });
  });

  it.each([
    ['was nothing before it took part', (at: number) => (at < 30 ? 0 : 0.6 + 0.05 * wobble(at))],
    ['is little, and more than nothing', (at: number) => 0.2 + 0.05 * wobble(at)],
  ])('that %s has not won', async (_how, judge) => {
    expect(failing).not.toContain((await epochs(judge)).category);
  });
});

describe('a held-out loss of several times what it was at first, alone in its log', () => {
  const evaluations = async (loss: (at: number) => number, score: (at: number) => number) =>
    diagnoseRecord(
      await logOf(
        lines(
          40,
          (at) => `step ${200 * at} eval_acc = ${score(at).toFixed(4)} eval_loss = ${loss(at).toFixed(4)}`,
        ),
      ),
    );
  const grows = (at: number) => (at < 3 ? 0.7 - 0.01 * at : 0.7 + 0.06 * at);
  const poor = (at: number) => 0.6 + 0.08 * (1 - 0.8 ** at);

  it('is overfitting where the score is poor', async () => {
    expect(await evaluations(grows, poor)).toMatchObject({ subcause: 'overfit' });
  });

  it.each([
    ['the score is good', grows, (at: number) => 0.6 + 0.3 * (1 - 0.8 ** at)],
    ['it grew by half', (at: number) => (at < 3 ? 0.7 - 0.01 * at : 0.7 + 0.009 * at), poor],
  ])('is none where %s', async (_where, loss, score) => {
    expect(failing).not.toContain((await evaluations(loss, score)).category);
  });
});

describe('NaN', () => {
  const epochs = (from: number, name = 'loss') =>
    table(`epoch,step,${name},rate`, 40, (at) => [at, at, at >= from ? 'nan' : 20 * 0.95 ** at, 0.01].join());

  it('after many whole epochs is not of the data', async () => {
    expect(await epochs(30)).toMatchObject({ outcome: 'failed', category: 'optimization' });
  });

  it('of evaluations alone may be', async () => {
    expect((await epochs(4, 'val_loss')).category).toBe('unknown');
  });
});

describe('a score of exactly nothing', () => {
  const steps = async (score: (at: number) => number) =>
    diagnoseRecord(
      await logOf(
        lines(20, (at) => `step: ${500 * (at + 1)}, loss:${1.2 + 0.4 * wobble(at)}, map:${score(at)}`),
      ),
    );

  it('at every evaluation beside a loss that does not fall is a failure', async () => {
    expect(await steps(() => 0)).toMatchObject({ category: 'optimization' });
  });

  it('is none where something was found', async () => {
    expect(failing).not.toContain((await steps((at) => (at > 12 ? 0.02 : 0))).category);
  });
});

describe('a loss that soon stands', () => {
  const epochs = async (loss: (at: number) => number) =>
    diagnoseRecord(await logOf(lines(100, (at) => `Epoch ${at}: Train Loss ${loss(at).toFixed(4)}`)));

  it('above its beginning has lost what it had found', async () => {
    const said = await epochs((at) => (at < 10 ? -0.07 - 0.003 * at : 0.1063 + 0.0002 * wobble(at)));
    expect(said).toMatchObject({ category: 'optimization' });
  });

  it('below its beginning has settled', async () => {
    const said = await epochs((at) => (at < 10 ? 0.2 - 0.009 * at : 0.1063 + 0.0002 * wobble(at)));
    expect(failing).not.toContain(said.category);
  });
});

describe('rows of tables', () => {
  it('that count their steps within each epoch go on', async () => {
    const record = await runOf({
      'log.csv': `epoch,step,train_loss\n${lines(20, (at) => [1 + Math.floor(at / 2), at % 2 ? 600 : 300, 2 / (at + 1)].join())}`,
    });
    const { steps } = curve(record, 'loss');
    expect([...steps].every((step, at) => at === 0 || step > steps[at - 1]!)).toBe(true);
  });

  it('that begin anew with the first epoch are another training', async () => {
    const record = await runOf({
      'log.csv': `epoch,step,train_loss\n${lines(20, (at) => [at % 10, 100 * (at % 10), 2 / (at + 1)].join())}`,
    });
    expect(curve(record, 'loss').steps[10]).toBe(0);
  });

  it('are read without a name of the file where their numbers are counted, or words stand beside many numbers', async () => {
    expect(curve(await logOf(`,reward\n${lines(9, (at) => `${at},${-at}`)}`), 'reward').length).toBe(9);
    const mixed = await logOf(
      `episode,task,total_reward,a,b,c,d\n${lines(9, (at) => `${at},maze,${at},1,2,3,4`)}`,
    );
    expect(curve(mixed, 'reward').length).toBe(9);
  });
});
