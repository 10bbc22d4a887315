// What training lowers under another name than a loss, and names that look like one.
import { describe, expect, test } from 'vitest';
import { curve, logOf, runOf } from './run-of.js';

const count = 12;
const lines = (line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => line(at)).join('\n');
const json = (row: (at: number) => Readonly<Record<string, unknown>>): string =>
  lines((at) => JSON.stringify(row(at)));
/** Falls by no rule that anything else follows. */
const fall = (at: number): number => Number((40.3 - 3.01 * at + (at % 2)).toFixed(3));

describe('is the loss', () => {
  test.each<[string, (at: number) => string, string, boolean]>([
    [
      'reconstructions beside a divergence, in words',
      (at) =>
        `epoch ${at} | recon ${fall(at)} kl 0.63${at} | val recon ${fall(at) + 0.5} (mean-image baseline 26.515)`,
      'recon',
      true,
    ],
    [
      'the sum beside its parts',
      (at) =>
        `Epoch 1, Step ${100 * (at + 1)}: Rec=0.${900 - at}, KL=${(149.8 - at).toFixed(2)}, Total=${fall(at)}`,
      'Total',
      false,
    ],
    [
      'the sum in words, which no part is printed in full of',
      (at) => `epoch ${at} total ${fall(at)} sim 0.00003${at} emb_std 0.00239 knn5_acc 0.80${at}`,
      'total',
      false,
    ],
    [
      'the sum beside parts that are called losses',
      (at) => `step ${at} pix_loss 0.${900 - at} adv_loss 1.2${at} total ${fall(at)}`,
      'total',
      false,
    ],
    ['a part alone', (at) => `step=${at} reconstruction=${fall(at)} lr=0.001`, 'reconstruction', false],
    ['a divergence alone', (at) => `step=${at} kl=${fall(at)} lr=0.001`, 'kl', false],
    ['a bound, where it falls', (at) => `step=${at} elbo=${fall(at)} lr=0.001`, 'elbo', false],
    [
      'what is called a loss of some kind',
      (at) => `step ${25 * at}/1400 sgns loss ${fall(at)} elapsed 0.3s`,
      'sgns loss',
      false,
    ],
  ])('%s', async (_, line, name, hasHeld) => {
    const run = await logOf(lines(line));
    const loss = curve(run, 'loss');
    expect(loss.rawName).toBe(name);
    expect(loss.split).toBe('train');
    expect([...loss.values]).toEqual(Array.from({ length: count }, (__, at) => fall(at)));
    expect(run.series.filter(({ metric, split }) => metric === 'loss' && split === 'eval').length).toBe(
      hasHeld ? 1 : 0,
    );
  });

  test.each([
    ['parts', { recon: 0, kl: 0.09, grad_norm: 5.7 }, 'recon'],
    ['a sum and its parts', { total: 0, recon: 0.3, kl: 0.09 }, 'total'],
    ['physics', { total: 0, pde: 0.3, bc: 0.09 }, 'total'],
  ] as const)('in rows of %s', async (_, row, name) => {
    const run = await runOf({ 'history.jsonl': json((at) => ({ step: at + 1, ...row, [name]: fall(at) })) });
    expect(curve(run, 'loss').rawName).toBe(name);
  });

  test('and is no number where its divergence still is', async () => {
    const run = await logOf(lines((at) => `epoch ${at} | recon ${at < 3 ? fall(at) : 'nan'} kl 0.63${at}`));
    const { values } = curve(run, 'loss');
    expect(values[2]).toBeGreaterThan(0);
    expect(values.slice(3).every(Number.isNaN)).toBe(true);
    expect(curve(run, 'kl').values.every(Number.isFinite)).toBe(true);
  });
});

describe('is none', () => {
  test.each<[string, (at: number) => string]>([
    ['a count of files', (at) => `epoch ${at} total 600 files, kl ${fall(at)}, reward 0.3${at}`],
    ['a time', (at) => `epoch ${at} kl: ${fall(at)} reward: 0.3${at} total: ${fall(at)}s`],
    ['how many steps there are', (at) => `step ${at} total_steps ${600 - at} kl ${fall(at)} reward 0.3${at}`],
    ['a recall beside a precision', (at) => `epoch ${at} prec ${fall(at)} rec ${fall(at)}`],
    ['a sum by itself that does not fall', (at) => `epoch ${at} total ${(10.5 + at).toFixed(2)}`],
    ['a bound that grows', (at) => `step=${at} elbo=${-fall(at)} kl=0.3${at} reward=0.3`],
    ['how far a policy went', (at) => `step=${at} kl=0.0${at + 1} reward=${fall(at)}`],
    ['the number of parameters', () => `total params 6545\ntrainable 6545`],
  ])('%s', async (_, line) => {
    const run = await logOf(lines(line));
    expect(run.series.filter(({ metric }) => metric === 'loss').map(({ rawName }) => rawName)).toEqual([]);
  });

  test.each<[string, (at: number) => string, string]>([
    ['of a loss', (at) => `epoch ${at} loss ${fall(at)} recon 3.${at} kl 0.63${at}`, 'loss'],
    [
      'of a total loss',
      (at) => `epoch ${at} total_loss ${fall(at)} recon 3.${at} kl 0.63${at}`,
      'total_loss',
    ],
    [
      'of a loss beside a sum of something else',
      (at) => `epoch ${at} loss ${fall(at)} total 7.${at} kl 0.63${at}`,
      'loss',
    ],
    [
      'of a held-out loss alone',
      (at) => `epoch ${at} recon 3.${at} kl 0.63${at} val_loss ${fall(at)}`,
      'val_loss',
    ],
  ])('a part %s', async (_, line, name) => {
    const run = await logOf(lines(line));
    expect(run.series.filter(({ metric }) => metric === 'loss').map(({ rawName }) => rawName)).toEqual([
      name,
    ]);
  });
});

describe('data that was printed', () => {
  const frame = (names: string) =>
    [
      names,
      '0        1934  191.479755      3     5.063813  2009       0  505.400617',
      '1        1852  118.652023      3     8.541547  1984       0  289.719430',
      '2        2615   63.173190      1     4.810941  1962       0  180.506677',
      '3        3958  139.266765      2    22.251600  1972       1  220.178123',
      '4         697  111.328781      5    20.309079  2018       1  299.572261',
    ].join('\n');

  test.each([
    ['columns of a data set', '   listing_no        area  rooms  dist_center  year  garden     price_k', 0],
    ['a counter alone', '         step        area  rooms  dist_center  year  garden     price_k', 0],
    ['a measure alone', '   listing_no        area  rooms  dist_center  year  reward     price_k', 0],
    [
      'with a name for its rows',
      '   listing_no        area  rooms  dist_center  year  garden     price_k\nid',
      0,
    ],
    ['a counter and a measure', '         iter        fval  rooms  dist_center  year  garden     price_k', 7],
    ['nothing above them', 'starting now:', 7],
  ])('%s', async (_, names, columns) => {
    const run = await logOf(
      `${frame(names)}\n${'[LightGBM] [Info] Auto-choosing row-wise multi-threading\n'.repeat(40)}\n`,
    );
    expect(run.series.filter(({ rawName }) => rawName.startsWith('column')).length).toBe(columns);
  });

  test('a column of yes and no is no score', async () => {
    const run = await logOf(lines((at) => `${at} ${fall(at)} ${at > 5 ? 1 : 0} 0.${100 + 7 * at}`));
    expect(curve(run, 'loss').rawName).toBe('column 2');
    expect(run.series.filter(({ metric }) => metric === 'accuracy').map(({ rawName }) => rawName)).toEqual([
      'column 4',
    ]);
  });

  test('a table that counts nothing has no loss', async () => {
    const table = (head: string) =>
      [head, ...Array.from({ length: count }, (_, at) => `${30 + ((at * 7) % 5)},${fall(at)}`)].join('\n');
    const metrics = async (head: string) =>
      (await runOf({ 'houses.csv': table(head) })).series.map(({ metric }) => metric);
    expect(await metrics('rooms,energy')).toEqual(['other', 'other']);
  });
});

describe('boosted trees', () => {
  test('say a measure of each set', async () => {
    const run = await logOf(
      lines((at) => `[${10 * at}]\ttraining's rmse: ${1413 - at}.43\tvalid_1's rmse: ${1457 + at}.23`),
    );
    expect(curve(run, 'error_metric').values[1]).toBe(1412.43);
    expect(curve(run, 'error_metric', { split: 'eval' }).values[1]).toBe(1458.23);
  });

  const evals = (head: string, row: (at: number) => string) =>
    runOf({ 'evals.csv': [head, lines(row)].join('\n') });

  test('or none, where the library calls the sets', async () => {
    const named = (...names: readonly [string, string]) =>
      evals(`iter,${names.join(',')}`, (at) => `${at},${fall(at)},${fall(at) + 1}`);
    const run = await named('training', 'valid_1');
    expect(curve(run, 'loss').values[3]).toBe(fall(3));
    expect(curve(run, 'loss', { split: 'eval' }).values[3]).toBe(fall(3) + 1);
    // Seconds and lengths have both parts too.
    expect((await named('train', 'valid')).series.map(({ metric }) => metric)).not.toContain('loss');
  });

  test('a sum that grows is of something else', async () => {
    const told = (total: (at: number) => number) =>
      runOf({
        'log.csv': [
          'epoch,recon,kl,total',
          lines((at) => `${at},${2 / (1 + at)},0.1${at},${total(at)}`),
        ].join('\n'),
      });
    expect(curve(await told((at) => 2.3 / (1 + at)), 'loss', { subject: null }).rawName).toBe('total');
    const grows = await told((at) => 33.4 * (1 + at));
    expect(grows.series.find(({ rawName }) => rawName === 'total')?.metric).toBe('other');
  });

  test('which comes to rest soon', async () => {
    const run = await evals(
      'iter,training,valid_1',
      (at) => `${at},${(20 + 100 * 0.3 ** at).toFixed(6)},${30 - at / 9}`,
    );
    expect(curve(run, 'loss').values[0]).toBe(120);
  });

  test.each([
    ['sizes', 'iter,train,test', (at: number) => `${at},${800 + at},${200 + at}`],
    ['one set alone', 'iter,training,depth', (at: number) => `${at},${fall(at)},3`],
  ] as const)('not %s', async (_, head, row) => {
    const run = await evals(head, row);
    expect(run.series.filter(({ metric }) => metric === 'loss')).toEqual([]);
  });
});

describe('scores', () => {
  const scored = (line: string) =>
    logOf(`epoch 0 loss=0.91\nepoch 1 loss=0.82\nepoch 2 loss=0.73\n${line}\n`);

  test.each([
    ['R2 on valid: -0.0673', 'explained_variance', 'eval', -0.0673],
    ['TEST (untouched) f1 0.0351 auc 0.5564', 'f1', 'test', 0.0351],
    ['TEST (untouched) f1 0.0351 auc 0.5564', 'auc', 'test', 0.5564],
    ['val_auc: 0.71', 'auc', 'eval', 0.71],
  ] as const)('told once at the end: %s', async (line, metric, split, value) => {
    expect([...curve(await scored(line), metric, { split }).values]).toEqual([value]);
  });

  test.each(['rmse of the mean rating: 1.4242', 'auc 0.71', 'test (draft 3) files 12'])(
    'not %s',
    async (line) => {
      const run = await scored(line);
      expect(run.series.map(({ metric }) => metric)).toEqual(['loss']);
    },
  );

  test.each([
    ['loss=0.5 dice_loss=0.84', 'f1'],
    ['iou_threshold=0.5 loss=0.5', 'f1'],
    ['loss=0.8 acc=0.3', 'eval'],
  ])('no other: %s', async (line, none) => {
    const run = await logOf(lines((at) => `epoch ${at} ${line}`));
    expect(run.series.filter(({ metric, split }) => metric === none || split === none)).toEqual([]);
  });

  test('of neighbours are of what training has not seen', async () => {
    const run = await logOf(lines((at) => `epoch ${at} loss 0.3${at} knn5_acc 0.8${at}`));
    expect(curve(run, 'accuracy', { split: 'eval' }).rawName).toBe('knn5_acc');
  });
});

describe('norms of the gradient, layer by layer', () => {
  test.each([
    ['gnorm_l0=1e-9 gnorm_l1=1e-5 gnorm_l12=0.1', ['l0', 'l1', 'l12']],
    ['gnorm_l0 1e-9 gnorm_l1 1e-5 gnorm_l12 0.1', ['l0', 'l1', 'l12']],
    ['grad_l0=1e-9 grad_l1=1e-5 grad_l2=0.1 grad_l3=0.2', ['l0', 'l1', 'l2', 'l3']],
    ['|g| layer1=1e-9 |g| layer2=1e-5 |g| layer3=0.1', ['layer1', 'layer2', 'layer3']],
    ['|g| layer1 1e-9 layer2 1e-5 layer3 0.1', ['layer1', 'layer2', 'layer3']],
    [
      'grad_norm/encoder.0=1e-9 grad_norm/encoder.1=1e-5 grad_norm/head=0.1',
      ['encoder_0', 'encoder_1', 'head'],
    ],
    ['grad_l2=0.1', [null]],
    ['gnorm=0.1', [null]],
    ['layer3_gnorm=0.1 layer4_gnorm=0.2', ['layer3', 'layer4']],
    ['g_1=0.1 g_2=0.2', []],
    ['|train| layer1=0.1', []],
  ])('%s', async (line, subjects) => {
    const run = await logOf(lines((at) => `step=${at} loss=${fall(at)} ${line}`));
    expect(
      run.series
        .filter(({ metric }) => metric === 'grad_norm')
        .map(({ subject }) => subject)
        .sort(),
    ).toEqual([...subjects].sort());
  });
});
