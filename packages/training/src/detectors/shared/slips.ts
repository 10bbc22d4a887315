// Slips of the pen in code that was pasted beside its numbers: what the code says, what the numbers must show before it counts, and what it is
// called. Neither is enough by itself: half of a loop was pasted often, and numbers go wrong for many reasons.
import type { Subcause } from '../../causes/table.js';
import { type Curve, finiteValues } from '../../features/curve.js';
import { median, monotonicity } from '../../features/robust.js';
import type { RunView } from '../../features/view.js';
import { figure } from '../../record/figures.js';
import type { RunEvidence } from '../define.js';
import { citeLine, citePoint } from './cite.js';
import { nonFiniteOf } from './nonfinite.js';

export interface Slip {
  readonly subcause: Subcause;
  readonly strength: number;
  /** The part of the code that is at fault; null where the code is well. */
  readonly says: (code: string) => RegExp | null;
  /** What the numbers show of it; null where they do not. */
  readonly shows: (view: RunView) => RunEvidence | null;
  readonly fact: string;
}

/** The pattern itself where the code has it and nothing that mends it. */
function has(pattern: RegExp, unless?: RegExp): (code: string) => RegExp | null {
  return (code) => (pattern.test(code) && !unless?.test(code) ? pattern : null);
}

export const slips: readonly Slip[] = [
  {
    subcause: 'code_error',
    strength: 0.92,
    fact: 'the loop calls backward and step, and never sets the gradients to zero',
    says: (code) => {
      const loop = /^\s*for\b.*:\s*$[\s\S]*\.backward\(/m.test(code);
      const clears = /zero_grad|clear_grad|\.grad\s*=\s*None|\.grad\.(?:data\.)?zero_|set_to_none/;
      return loop && /\.step\(/.test(code) && !clears.test(code) ? /\.backward\(/ : null;
    },
    shows: (view) => leaves(view) ?? broke(view),
  },
  {
    subcause: 'code_error',
    strength: 0.8,
    fact: 'the optimizer steps once through the scaler and once more behind it, with gradients that are still scaled',
    says: (code) => {
      const [, scaled, name] = /^(\s*)\w+\.step\((\w+)\)\s*$/m.exec(code) ?? [];
      if (name === undefined || !/scal/i.test(code)) return null;
      const [, plain] = new RegExp(`^(\\s*)${name}\\.step\\(\\)`, 'm').exec(code) ?? [];
      return plain !== undefined && plain.length < scaled!.length
        ? new RegExp(`^\\s*${name}\\.step\\(\\)`)
        : null;
    },
    shows: (view) => broke(view) ?? leaves(view),
  },
  {
    subcause: 'unstable_operation',
    strength: 0.78,
    fact: 'the logarithm of a probability, which may be 0',
    says: (code) => {
      if (!/softmax|sigmoid|prob|generator|discriminator/i.test(code)) return null;
      // Only what is taken as it is: `log(p + 1e-8)` and `log(clip(p))` are safe.
      const bare =
        /(?<![\w.])(?:tf|torch|np|numpy|jnp|K|math)(?:\.math)?\.log\(\s*(?:1(?:\.0?)?\s*-\s*)?[A-Za-z_]\w*(?:\[[^\]]*\])?\s*\)|softmax\([^)]*\)\.log\(\)/;
      return bare.test(code) ? bare : null;
    },
    shows: (view) => broke(view) ?? fallsToOneAnswer(view),
  },
  {
    subcause: 'unstable_operation',
    strength: 0.72,
    fact: 'a root or a quotient whose derivative has no value at 0',
    says: has(
      /(?:torch|tf|np|K|jnp)\.sqrt\(\s*[A-Za-z_][\w.]*(?:\.sum\([^)]*\))?\s*\)|\/\s*(?:torch|tf|K)\.(?:norm|sum)\([^)]*\)\s*$/m,
    ),
    shows: broke,
  },
  {
    subcause: 'wrong_objective',
    strength: 0.82,
    fact: 'one output that says yes or no',
    says: (code) => {
      const one =
        /Dense\(\s*(?:units\s*=\s*)?1\s*,[^)]*sigmoid|Linear\([^,()]+,\s*(?:out_features\s*=\s*)?1\s*\)/;
      return one.test(code) && /binary_?cross_?entropy|\bBCE(?:WithLogits)?Loss/i.test(code) ? one : null;
    },
    shows: (view) => rightLessThanHalf(view) ?? belowNothing(view),
  },
  {
    subcause: 'wrong_objective',
    strength: 0.82,
    fact: 'a softmax over one output, which is 1 whatever goes in',
    says: has(/Dense\(\s*(?:units\s*=\s*)?1\s*,[^)]*softmax/),
    shows: standsStill,
  },
  {
    subcause: 'wrong_objective',
    strength: 0.76,
    fact: 'a softmax before a cross entropy that applies one itself',
    says: (code) => {
      const own =
        /CrossEntropyLoss|\.cross_entropy\(|from_logits\s*=\s*True|softmax_cross_entropy_with_logits/;
      const before = /(?<!log_?)softmax\s*\(|Softmax\(|activation\s*=\s*['"]softmax/i;
      return own.test(code) ? has(before)(code.replace(/\w*softmax_cross_entropy\w*/g, '')) : null;
    },
    shows: heldUpBySoftmax,
  },
  {
    subcause: 'wrong_objective',
    strength: 0.82,
    fact: 'a likelihood that is given probabilities, where it takes their logarithms',
    says: (code) =>
      /NLLLoss|nll_loss/.test(code)
        ? has(/(?<!log_?)softmax\s*\(|(?<!Log)Softmax\(/i, /log_?softmax/i)(code)
        : null,
    shows: belowNothing,
  },
  {
    subcause: 'wrong_objective',
    strength: 0.85,
    fact: 'the sign of the loss is turned',
    says: has(
      /\bloss\w*\s*=\s*-\s*(?:[\w.]+\.)?(?:cross_entropy|criterion|loss_f\w*|nll_loss|mse\w*|l1_loss|b?ce\w*|binary_cross_entropy\w*)\(/i,
    ),
    shows: belowNothing,
  },
  {
    subcause: 'frozen_parameters',
    strength: 0.82,
    fact: 'the loss is cut off from the weights',
    says: has(
      /\bloss\w*\s*=\s*(?:torch\.(?:tensor|FloatTensor)|Variable)\(\s*\w*loss|\bloss\w*\.requires_grad(?:_\(|\s*=\s*True)|(?:criterion|loss_f\w*)\([^)]*\.(?:detach\(\)|data\b|item\(\)|numpy\(\))/i,
    ),
    shows: standsStill,
  },
  {
    subcause: 'shuffled_labels',
    strength: 0.88,
    fact: 'sorted rows are cut into two parts without being shuffled',
    says: (code) => {
      const cuts =
        /\[\s*:\s*-?\w+\s*\]/.test(code) && /\[\s*-?\w+(?:\s*[-+*/]+\s*[\w.]+)?\s*:\s*\]/.test(code);
      const ordered =
        /sorted\(|listdir|glob|\brange\(|\+\s*\w+_(?:files|paths|images)|concat|os\.walk|ImageFolder/;
      return cuts && !/shuffl|random|permut|stratif|train_test_split/i.test(code) ? has(ordered)(code) : null;
    },
    shows: neverRight,
  },
  {
    subcause: 'code_error',
    strength: 0.86,
    fact: 'the share of right answers is a quotient of whole numbers',
    says: has(
      /\b\w*(?:acc|accuracy|score)\w*\s*=\s*[\w.]*(?:correct|right|hits|matches|corrects)\w*\s*\/\s*[\w.[\]()]+/i,
      /float|\.item\(\)|\.double\(\)|true_divide|from __future__/,
    ),
    shows: zeroScore,
  },
  {
    subcause: 'code_error',
    strength: 0.8,
    fact: 'the answer is sought among the rows, not among the classes',
    says: has(
      /(?:torch\.max\(\s*[\w.]+\s*,\s*0\s*\)|argmax\([^()]*(?:dim|axis)\s*=\s*0\s*\)|argmax\(\s*[\w.]+\s*,\s*0\s*\))/,
    ),
    shows: scoreStaysLow,
  },
  {
    subcause: 'learning_rate_too_high',
    strength: 0.74,
    fact: 'a rate far beyond what its optimizer bears',
    says: (code) => {
      const call =
        /\b(?:optim\w*\.)?(Adam\w*|RMSprop\w*|Nadam|Adamax|SGD|GradientDescentOptimizer|MomentumOptimizer)\s*\(([^)]*(?:\([^)]*\)[^)]*)*)/i;
      const [, name = '', given = ''] = call.exec(code) ?? [];
      const named = /\b(?:lr|learning_rate|eta)\s*=\s*([\d.]+(?:e-?\d+)?)/i.exec(given)?.[1];
      const bare = /(?:^|,)\s*(\d*\.\d+(?:e-?\d+)?)\s*(?:,|$)/.exec(given)?.[1];
      const rate = Number(named ?? bare);
      return rate >= (/sgd|gradientdescent|momentum/i.test(name) ? 1 : 0.05) ? call : null;
    },
    shows: (view) => broke(view) ?? standsStill(view) ?? sameCount(view),
  },
];

const cite = (curve: Curve, fact: string, index = curve.finite.at(-1) ?? curve.length - 1): RunEvidence =>
  citePoint(curve, index, fact);

/** Some loss is no number any more, read as a curve or as a word. */
function broke(view: RunView): RunEvidence | null {
  const [read] = nonFiniteOf(view)?.evidence ?? [];
  if (read) return read;
  const line = view.lines.find(
    ({ text }) => /\bnan\b/i.test(text) && /\b(?:loss|cost|epoch|iter|step)\b/i.test(text) && /\d/.test(text),
  );
  return line ? citeLine(line) : null;
}

/** It came down and went up again by far, or was thrown up: no course that a loss takes by itself. */
function leaves(view: RunView): RunEvidence | null {
  const curve = view.curve('loss', 'train');
  const values = curve ? finiteValues(curve) : [];
  const best = Math.min(...values);
  const end = median(values.slice(-3));
  if (!curve || values.length < 3 || best <= 0 || end < 1.5 * best || end < 0.3 * values[0]!) return null;
  return cite(curve, `${curve.name} was ${figure(best)} and is ${figure(end)} at the end`);
}

/** Neither a loss nor a score has moved since the first row. */
function standsStill(view: RunView): RunEvidence | null {
  const curves = [...view.curves('loss'), ...view.curves('accuracy')].filter(
    ({ finite }) => finite.length >= 3,
  );
  const [first] = curves;
  const still = (values: readonly number[]): boolean =>
    Math.max(...values) - Math.min(...values) <= 0.02 * Math.abs(median(values));
  if (!first || !curves.every((curve) => still(finiteValues(curve)))) return null;
  return cite(first, `${first.name} stands at ${figure(finiteValues(first).at(-1)!)}`);
}

const countOf = /\b(\d+)\s*\/\s*(\d{3,})\s*$/;

/** `Epoch 3: 980 / 10000`, the same count each time. */
function sameCount(view: RunView): RunEvidence | null {
  const told = view.lines.filter(({ text }) => /^\W*epoch\b/i.test(text) && countOf.test(text));
  const counts = new Set(told.map(({ text }) => countOf.exec(text)![0]));
  return told.length >= 3 && counts.size === 1 ? citeLine(told.at(-1)!) : null;
}

/** Weights that are no number give every row one answer: what the score had reached is gone at once, and it is the same each time. */
function fallsToOneAnswer(view: RunView): RunEvidence | null {
  const curve = view.curve('accuracy', 'train') ?? view.curve('accuracy', 'eval');
  const values = curve ? finiteValues(curve) : [];
  const best = Math.max(...values);
  const since = values.slice(values.lastIndexOf(best) + 1);
  if (!curve || since.length < 2 || best < 0.5 || Math.max(...since) > 0.4 * best) return null;
  if (Math.max(...since) - Math.min(...since) > 0.05) return null;
  return cite(curve, `${curve.name} was ${figure(best)} and is ${figure(since.at(-1)!)} ever since`);
}

function rightLessThanHalf(view: RunView): RunEvidence | null {
  const curve = view.curve('accuracy', 'train') ?? view.curve('accuracy', 'eval');
  const values = curve ? finiteValues(curve) : [];
  if (!curve || values.length < 2 || Math.max(...values) > 0.45) return null;
  return cite(
    curve,
    `${curve.name} is never above ${figure(Math.max(...values))}, where a coin gets a half: there are more than two classes`,
  );
}

function belowNothing(view: RunView): RunEvidence | null {
  const curve = view.curve('loss', 'train');
  const values = curve ? finiteValues(curve) : [];
  if (!curve || values.length < 2 || values.at(-1)! >= 0) return null;
  return cite(curve, `${curve.name} is ${figure(values.at(-1)!)}, below zero`);
}

/** Probabilities that are taken for logits cannot lose less than log(1 + (K - 1) / e): the loss comes down towards that, and no further. */
function heldUpBySoftmax(view: RunView): RunEvidence | null {
  const curve = view.curve('loss', 'train');
  const values = curve ? finiteValues(curve) : [];
  if (!curve || values.length < 3 || values[0]! <= 0) return null;
  const classes = view.task.outcomes ?? Math.round(Math.exp(values[0]!));
  const least = Math.log(1 + (classes - 1) / Math.E);
  const late = values.slice(-Math.ceil(values.length / 3));
  if (classes < 2 || Math.min(...values) < 0.98 * least || median(late) > 1.03 * Math.log(classes))
    return null;
  return cite(
    curve,
    `${curve.name} is never below ${figure(Math.min(...values))}: with ${classes} classes this costs ${figure(least)} at the least`,
  );
}

/** What is held out, or whatever is scored, is never right, while the loss falls. */
function neverRight(view: RunView): RunEvidence | null {
  const score = view.curve('accuracy', 'eval') ?? view.curve('accuracy', 'test') ?? view.curve('accuracy');
  const values = score ? finiteValues(score) : [];
  if (!score || values.length < 2 || Math.max(...values) > 0.2 || !falls(view)) return null;
  return cite(score, `${score.name} is never above ${figure(Math.max(...values))}, while the loss falls`);
}

function zeroScore(view: RunView): RunEvidence | null {
  const scores = view.curves('accuracy').filter(({ finite }) => finite.length >= 2);
  const [score] = scores;
  if (!score || !scores.every((curve) => finiteValues(curve).every((value) => value === 0)) || !falls(view))
    return null;
  return cite(score, `${score.name} is exactly 0 at every point, while the loss falls`);
}

function scoreStaysLow(view: RunView): RunEvidence | null {
  const score = view.curve('accuracy', 'eval') ?? view.curve('accuracy');
  const values = score ? finiteValues(score) : [];
  if (!score || values.length < 3 || Math.max(...values) > 0.4 || monotonicity(values) > 0.7 || !falls(view))
    return null;
  return cite(score, `${score.name} is never above ${figure(Math.max(...values))}, while the loss falls`);
}

function falls(view: RunView): boolean {
  return view.curves('loss').some((curve) => {
    const values = finiteValues(curve);
    return values.length >= 2 && values[0]! > 0 && values.at(-1)! < 0.8 * values[0]!;
  });
}
