// Training that libraries do out of sight, and `while` loops that count: the copy that is sent ahead jumps to the end. What
// it meets counts only when the jump cannot have caused it. The cells train for hours when nothing is cut.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dryRun, type Kernel } from '../../src/index.js';
import { kernelWith, run } from '../agent/support.js';
import { budgetMs, sentAhead } from './clip-support.js';

let kernel: Kernel;
let weights: string;
const fingerprint =
  'print(net.net[0].weight.sum().item(), hugging.model.classifier.weight.sum().item(), trainer.current_epoch, search.get_params()["estimator__C"], recorder.losses, steps.seen, scored)';
beforeAll(async () => {
  kernel = await kernelWith(readFileSync(new URL('./fixtures/trainers.py', import.meta.url), 'utf8'));
  weights = await run(kernel, fingerprint);
  await dryRun(kernel, ['1'], { budgetMs });
}, 300_000);
afterAll(() => kernel.close());

const ahead = (cell: string) => sentAhead(kernel, cell);

const fit = 'trainer.fit(net, loader, held_out)\n';
const train = 'hugging.train()\n';
const found = 'search.fit(rows, labels)\n';
const boosted = 'booster = xgb.train(boost, matrix, 1_000_000)\n';
const endless =
  'n = 0\nwhile n < 500_000_000:\n    torch.randn(300, 300) @ torch.randn(300, 300)\n    if n < 0:\n        continue\n    n += 1\n';
const counting = `step, history = 0, []
while step < 10_000_000:
    xb, yb = next(iter(loader))
    loss = ((net(xb).squeeze(1) - yb) ** 2).mean()
    history.append(loss.item())
    step += 1
`;

describe('a crash after the training is told', { timeout: budgetMs }, () => {
  it.each([
    ['Lightning: form of the model', `${fit}net(wide)`, 'RuntimeError', 2, 'epochs'],
    ['Lightning: another object', `${fit}frame["b"]`, 'KeyError', 2, 'batches'],
    [
      'Lightning: checkpoints are written on the way',
      'trainer = lightning_trainer(enable_checkpointing=True, default_root_dir=folder)\ntrainer.fit(net, loader, held_out)\ntrainer.callback_metric',
      'AttributeError',
      3,
      'epochs',
    ],
    [
      'Lightning: so many steps',
      'trainer = lightning_trainer(max_epochs=-1, max_steps=10_000_000)\ntrainer.fit(net, loader, held_out)\nassert trainer.global_step == 10_000_000\nnet(wide)',
      'RuntimeError',
      4,
      'epochs',
    ],
    [
      'Lightning: the last batch of the last epoch, and the end',
      `class Ends(lightning.Callback):
    seen = []
    def on_train_batch_end(self, trainer, module, outputs, batch, index):
        if index == 100:
            self.seen.append((trainer.current_epoch, len(batch[0])))
    def on_train_end(self, trainer, module):
        assert self.seen[-1] == (99_999, 3)
        wide.missing
lightning_trainer(callbacks=[Ends()]).fit(net, loader, held_out)`,
      'AttributeError',
      8,
      'batches',
    ],
    [
      'Lightning: a stop that the settings leave out',
      `${fit}trainer.early_stopping_callback.best_score`,
      'AttributeError',
      2,
      'batches',
    ],
    [
      'Lightning: a metric that nothing logs',
      'kept = lightning.pytorch.callbacks.ModelCheckpoint(folder, monitor="valid/loss")\nlightning_trainer(enable_checkpointing=True, callbacks=[kept], check_val_every_n_epoch=500).fit(net, loader, held_out)',
      'MisconfigurationException',
      2,
      'epochs',
    ],
    ['Hugging Face: a typing error', `${train}hugging.evalute()`, 'AttributeError', 2, 'steps'],
    [
      'Hugging Face: metrics of an evaluation',
      'def broken(told):\n    return {"f1": told.prediction.mean()}\nface(metrics=broken).train()',
      'AttributeError',
      2,
      'steps',
    ],
    [
      'Hugging Face: batches put together, the best model loaded',
      'hugging = face(gradient_accumulation_steps=2, eval_strategy="steps", save_strategy="steps", eval_steps=500, save_steps=500, load_best_model_at_end=True)\nhugging.train()\nassert hugging.state.global_step == hugging.state.max_steps and hugging.state.epoch == 1_000\nwide.missing',
      'AttributeError',
      4,
      'steps',
    ],
    ['a search: a typing error', `${found}search.best_estimator`, 'AttributeError', 2, 'fits'],
    ['a search: too few columns', `${found}search.predict(rows[:, :5])`, 'ValueError', 2, 'fits'],
    [
      'a random search',
      'search = RandomizedSearchCV(RandomForestClassifier(10_000), {"max_depth": range(2, 500)}, n_iter=400).fit(rows, labels)\nframe["b"]',
      'KeyError',
      2,
      'fits',
    ],
    [
      'cross-validation',
      'scores = cross_val_score(SVC(), rows, labels, cv=300)\nassert scores.shape == (300,)\nscores.missing',
      'AttributeError',
      3,
      'fits',
    ],
    [
      'cross-validation: keys of the table',
      'table = cross_validate(SVC(), rows, labels, cv=300)\ntable["test_f1"]',
      'KeyError',
      2,
      'fits',
    ],
    ['XGBoost', `${boosted}booster.predict(rows)`, 'TypeError', 2, 'num_boost_round'],
    ['XGBoost: cv', 'table = xgb.cv(boost, matrix, 1_000_000)\nframe["b"]', 'KeyError', 2, 'num_boost_round'],
    [
      'LightGBM: rounds among the parameters',
      'booster = lgb.train({**leaves, "n_estimators": 1_000_000}, lgb.Dataset(rows, labels))\nbooster.predict(rows[:, :3])',
      'LightGBMError',
      2,
      'num_boost_round',
    ],
    ['while: form of the model', `${counting}net(wide)`, 'RuntimeError', 7, 'loop'],
    [
      'while: in the last round',
      counting.replace('    step += 1', '    if step == 9_999_999:\n        wide.missing\n    step += 1'),
      'AttributeError',
      7,
      'loop',
    ],
    [
      'while: loaders inside, left when it is enough',
      'step = 0\nwhile True:\n    for xb, yb in loader:\n        net(xb)\n        step += 1\n    if step >= 100_000_000:\n        break\nnet(wide)',
      'RuntimeError',
      8,
      'loop',
    ],
  ])('%s', async (_name, cell, type, line, what) => {
    const told = await ahead(cell);
    expect(told).toMatchObject({ status: 'raised', type, line, doubt: null });
    expect(told.clipped.map((cut) => cut.what)).toContain(what);
  });
});

describe('what may come from the jump is no verdict', { timeout: budgetMs }, () => {
  it.each([
    ['Lightning: what a callback keeps', `${fit}recorder.losses[99_999]`],
    ['Lightning: how many epochs', `${fit}assert trainer.current_epoch == 99_999`],
    [
      'Lightning: a stop that later rounds make',
      'class Stops(lightning.Callback):\n    def on_train_epoch_end(self, trainer, module):\n        if trainer.current_epoch == 500:\n            trainer.callbacks.append(lightning.pytorch.callbacks.EarlyStopping("loss"))\ntrainer = lightning_trainer(callbacks=[Stops()])\ntrainer.fit(net, loader, held_out)\ntrainer.early_stopping_callback.best_score',
    ],
    [
      'Lightning: what only some epoch makes',
      'class Late(Net):\n    best = None\n    def on_train_epoch_end(self):\n        if self.current_epoch == 500:\n            self.best = wide\n    def on_train_end(self):\n        self.best.shape\nlightning_trainer().fit(Late(), loader, held_out)',
    ],
    [
      'Lightning: a list of a global name',
      'kept = []\nclass Keeps(Net):\n    def on_train_epoch_end(self):\n        kept.append(1)\nlightning_trainer().fit(Keeps(), loader, held_out)\nassert len(kept) == 100_000',
    ],
    [
      'Lightning: a metric that a round in between logs',
      'class Late(Net):\n    def on_train_epoch_end(self):\n        if self.current_epoch == 499:\n            self.log("late", 1.0)\nkept = lightning.pytorch.callbacks.ModelCheckpoint(folder, monitor="late", every_n_epochs=500)\nlightning_trainer(enable_checkpointing=True, callbacks=[kept]).fit(Late(), loader, held_out)',
    ],
    ['Hugging Face: what a callback keeps', `${train}steps.seen[100_000]`],
    ['Hugging Face: the log', `${train}hugging.state.log_history[900]`],
    [
      'Hugging Face: the log in a callback',
      'class Ends(transformers.TrainerCallback):\n    def on_train_end(self, args, state, control, **more):\n        state.log_history[900]\nface(callbacks=[Ends()]).train()',
    ],
    [
      'a search: what was chosen',
      'chosen = GridSearchCV(Pipeline([("last", SVC())]), {"last": [SVC(C=0.01 * n) for n in range(1, 200)] + [RandomForestClassifier()]}, cv=5).fit(rows, labels)\nchosen.best_estimator_["last"].feature_importances_',
    ],
    ['a search: how good it is', `${found}assert search.best_score_ > 0.999`],
    [
      'a search: how often it scored',
      'GridSearchCV(SVC(), search.param_grid, cv=5, scoring=scorer).fit(rows, labels)\nassert len(scored) == 3_000',
    ],
    [
      'XGBoost: rounds recorded',
      'told = {}\nxgb.train(boost, matrix, 1_000_000, evals=[(matrix, "all")], evals_result=told, verbose_eval=False)\ntold["all"]["rmse"][999_999]',
    ],
    [
      'XGBoost: the best round',
      'booster = xgb.train(boost, matrix, 1_000_000, evals=[(matrix, "all")], early_stopping_rounds=5, verbose_eval=False)\nassert booster.best_iteration > 5',
    ],
    [
      'LightGBM: recorded by a callback of another line',
      'told = {}\ncallbacks = [lgb.record_evaluation(told)]\nlgb.train(leaves, lgb.Dataset(rows, labels), 1_000_000, [lgb.Dataset(rows, labels)], callbacks=callbacks)\ntold["valid_0"]["l2"][999_999]',
    ],
    ['while: a list', `${counting}assert len(history) == 10_000_000`],
    ['while: a branch on a number', `${counting}if loss.item() > -1:\n    wide.missing`],
    ['while: an expression on a number', `${counting}wide.missing if loss.item() > -1 else 1`],
    [
      'a return on a number before it',
      `def report(loss):\n    if loss < -1:\n        return\n    wide.missing\n${counting}report(loss.item())`,
    ],
    [
      'an estimator: as many numbers as rounds',
      'from sklearn.ensemble import GradientBoostingClassifier\nforest = GradientBoostingClassifier(n_estimators=100_000).fit(rows, labels)\ntorch.tensor(forest.train_score_) - torch.zeros(100_000)',
    ],
    [
      'scikit-learn: a table with a row for every round, whose message tells no number',
      'import pandas\nfrom sklearn.ensemble import GradientBoostingClassifier\nforest = GradientBoostingClassifier(n_estimators=100_000).fit(rows, labels)\npandas.DataFrame({"round": range(100_000), "score": forest.train_score_})',
    ],
    [
      'names bound in secret',
      `${counting.replace('step += 1', 'globals()[f"m{step}"] = 1\n    step += 1')}m5000000`,
    ],
    [
      'parts added to a model',
      `${counting.replace('step += 1', 'net.add_module(f"m{step}", nn.Identity())\n    step += 1')}net.m5000000`,
    ],
    ['how long a `while` went on', `${endless}X[n - 400_000_000]`],
    ['what is drawn', `${counting}assert np.random.rand() > 1`],
    [
      'a library that remembers',
      `import warnings\n${counting.replace('step += 1', 'warnings.filterwarnings("ignore", str(step))\n    step += 1')}warnings.filters[5_000_000]`,
    ],
    [
      'a folder that later rounds fill',
      'import os\nfor i in range(10_000_000):\n    open(f"{folder}/{i}", "w").close()\nif len(os.listdir(folder)) < 10_000_000:\n    wide.missing',
    ],
  ])('%s', async (_name, cell) => {
    expect(await ahead(cell)).toMatchObject({ doubt: { code: expect.stringMatching(/cut/) } });
  });
});

it.each([
  ['Lightning', `${fit}net(X)\ntrainer.callback_metrics["val_loss"]`],
  ['Hugging Face', `${train}hugging.evaluate()["eval_accuracy"]`],
  ['a search', `${found}search.predict(rows)\nassert len(search.cv_results_["params"]) == 600`],
  ['XGBoost', `${boosted}booster.predict(matrix)`],
  ['while', `${counting}net(X)\nassert step == 10_000_000`],
])('a healthy cell runs through: %s', { timeout: budgetMs }, async (_name, cell) => {
  expect(await ahead(cell)).toMatchObject({
    status: 'finished',
    doubt: { code: expect.stringMatching(/cut/) },
    skipped_ms: expect.any(Number),
  });
});

it('ends a `while` that does not count', { timeout: budgetMs }, async () => {
  expect(await ahead(`${endless}wide.missing`)).toMatchObject({
    ...{ type: 'AttributeError', line: 7, doubt: null },
    clipped: [{ what: 'loop', line: 2, of: null }],
  });
});

it('ends the first copy early', { timeout: budgetMs }, async () => {
  const result = await dryRun(kernel, [`${fit}net(wide)`], { budgetMs, clipAfterMs: 50 });
  expect(result).toMatchObject({ ended: 'done', cells: [{ type: 'RuntimeError', line: 2, doubt: null }] });
});

it('leaves the kernel as it was', async () => {
  expect(await run(kernel, fingerprint)).toBe(weights);
});
