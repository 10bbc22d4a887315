/**
 * # A target that the loss cannot take
 *
 * ## What
 * A loss gets a target of the wrong dtype, of another size than the prediction, or with class numbers out of range.
 *
 * ## Why it crashes
 * `CrossEntropyLoss` and `NLLLoss` take class numbers (`int64`) from 0 to C-1, one per sample; `BCELoss` takes floats of
 * exactly the prediction's size. Anything else raises `RuntimeError`, `ValueError` or `IndexError`.
 *
 * ## Example
 * ```python state
 * import torch
 * from torch import nn
 *
 * logits = torch.zeros(8, 3)
 * y = torch.zeros(8)
 * ```
 * ```python cell
 * nn.CrossEntropyLoss()(logits, y)
 * ```
 *
 * ## Fix
 * `y.long()` for class numbers; `y.float().unsqueeze(1)` for a prediction of shape (N, 1); one output per class.
 * ```python fixed
 * nn.CrossEntropyLoss()(logits, y.long())
 * ```
 *
 * ## When it stays silent
 * When shapes, dtypes or values are not known.
 */
import { attributeOf } from '../../libraries/torch/layer-attributes.js';
import { type CheckContext, defineCheck } from '../define-check.js';
import { shapeText } from '../wording.js';
import { type LossCall, lossCall, scalarType, sizeText } from './shared.js';

interface Problem {
  readonly exception: string;
  readonly message: string;
  readonly why: string;
  readonly remedy: string;
}

export default defineCheck({
  id: 'torch/loss-target',
  title: 'A target that the loss cannot take',
  rung: 'contracts',
  libraries: ['torch'],
  on: {
    call(event, context) {
      const call = lossCall(event);
      if (!call) return;
      const problem = /^(CrossEntropy|NLL)/.test(call.name)
        ? classProblem(call, context)
        : binaryProblem(call);
      if (!problem) return;
      const describe = (operand: LossCall['target']) =>
        `${context.text(operand.node)} is ${operand.fact.dtype ?? 'a tensor'} of the shape ${operand.fact.shape ? shapeText(operand.fact.shape) : '?'}`;
      context.report({
        exception: problem.exception,
        message: problem.message,
        evidence: [
          { fact: describe(call.prediction), source: context.source(call.prediction) },
          { fact: describe(call.target), source: context.source(call.target) },
        ],
        explanation: `\`${context.text(event.node)}\` raises ${problem.exception}: ${problem.why}.`,
        remedy: problem.remedy,
      });
    },
  },
});

function classProblem(call: LossCall, context: CheckContext): Problem | undefined {
  const { prediction, target, name } = call;
  const given = prediction.fact.shape;
  const wanted = target.fact.shape;
  if (!given || !wanted || given.length !== 2) return undefined;
  const [batch, classes] = given;
  if (wanted.length === 1) {
    if (typeof batch === 'number' && typeof wanted[0] === 'number' && batch !== wanted[0])
      return {
        exception: 'ValueError',
        message: `Expected input batch_size (${batch}) to match target batch_size (${wanted[0]}).`,
        why: `there are ${batch} predictions and ${wanted[0]} targets`,
        remedy: 'Take prediction and target from the same batch.',
      };
    const type = scalarType(target.fact.dtype);
    if (type !== undefined && type !== 'Long' && type !== 'Byte')
      return {
        ...refusedType(target.fact.device, type),
        why: `class numbers must be int64, and the target is of ${target.fact.dtype}`,
        remedy: `Convert the target: \`${context.text(target.node)}.long()\`.`,
      };
    return rangeProblem(call, context, classes);
  }
  const isColumn = wanted.length === 2 && wanted[1] === 1 && typeof classes === 'number' && classes > 1;
  if (isColumn && scalarType(target.fact.dtype) !== undefined)
    return {
      exception: 'RuntimeError',
      message: '0D or 1D target tensor expected, multi-target not supported',
      why: `${name} takes one class number per sample, and the target has the shape ${shapeText(wanted)}`,
      remedy: `Drop the extra dimension: \`${context.text(target.node)}.squeeze(1)\`.`,
    };
  return undefined;
}

/** On a GPU there is simply no such kernel. */
function refusedType(device: string | undefined, type: string): Pick<Problem, 'exception' | 'message'> {
  if (device?.startsWith('cuda'))
    return {
      exception: 'NotImplementedError',
      message: `"nll_loss_forward_reduce_cuda_kernel_2d_index" not implemented for '${type}'`,
    };
  return {
    exception: 'RuntimeError',
    message: `expected target dtype to be Long or Byte, but got ${type}`,
  };
}

function rangeProblem(
  call: LossCall,
  context: CheckContext,
  classes: number | null | undefined,
): Problem | undefined {
  const { target, module, isPlain } = call;
  const { values, device } = target.fact;
  if (typeof classes !== 'number') return undefined;
  if (device !== undefined && device !== 'cpu') return undefined;
  const ignored = module ? attributeOf(context.look, module, 'ignore_index') : isPlain ? -100 : undefined;
  if (typeof ignored !== 'number') return undefined;
  const wrong = [values?.max, values?.min].find(
    (value) => value !== undefined && value !== ignored && (value >= classes || value < 0),
  );
  if (wrong === undefined) return undefined;
  return {
    exception: 'IndexError',
    message: `Target ${wrong} is out of bounds.`,
    why: `the target holds the class ${wrong}, and the prediction has ${classes} classes`,
    remedy: `Give the model ${(values?.max ?? 0) + 1} outputs, or number the classes from 0.`,
  };
}

function binaryProblem({ name, prediction, target }: LossCall): Problem | undefined {
  if (name !== 'BCELoss' && name !== 'BCEWithLogitsLoss') return undefined;
  const given = prediction.fact.shape;
  const wanted = target.fact.shape;
  if (!given || !wanted) return undefined;
  const isDifferent =
    given.length !== wanted.length ||
    given.some((dim, axis) => dim !== null && wanted[axis] !== null && dim !== wanted[axis]);
  if (isDifferent)
    return {
      exception: 'ValueError',
      message:
        name === 'BCELoss'
          ? `Using a target size (${sizeText(wanted)}) that is different to the input size (${sizeText(given)}) is deprecated. Please ensure they have the same size.`
          : `Target size (${sizeText(wanted)}) must be the same as input size (${sizeText(given)})`,
      why: `the prediction has the shape ${shapeText(given)} and the target ${shapeText(wanted)}`,
      remedy:
        given.length > wanted.length
          ? 'Add the dimension to the target: `target.unsqueeze(1)`.'
          : 'Give both the same shape.',
    };
  const type = scalarType(target.fact.dtype);
  if (name === 'BCELoss' && prediction.fact.dtype === 'float32' && (type === 'Long' || type === 'Int'))
    return {
      exception: 'RuntimeError',
      message: `Found dtype ${type} but expected Float`,
      why: `the target is of ${target.fact.dtype}, and BCELoss takes floats`,
      remedy: 'Convert the target: `target.float()`.',
    };
  return undefined;
}
