/**
 * # A width that cannot be divided among heads or groups
 *
 * ## What
 * `MultiheadAttention`, a transformer layer or a grouped convolution is made with a width that is not a multiple of the number
 * of heads or groups.
 *
 * ## Why it crashes
 * Every head or group gets an equal part; torch raises `AssertionError` (heads) or `ValueError` (groups).
 *
 * ## Example
 * ```python state
 * from torch import nn
 * ```
 * ```python cell
 * nn.MultiheadAttention(embed_dim=100, num_heads=8)
 * ```
 *
 * ## Fix
 * Choose a width that is a multiple of the number of heads.
 * ```python fixed
 * nn.MultiheadAttention(embed_dim=96, num_heads=8)
 * ```
 *
 * ## When it stays silent
 * When one of the numbers is not known.
 */
import { argument } from '../../reasoning/arguments.js';
import { defineCheck } from '../define-check.js';

const divided: Record<string, readonly [whole: string, at: number, parts: string, from: number]> = {
  'torch.nn.MultiheadAttention': ['embed_dim', 0, 'num_heads', 1],
  'torch.nn.TransformerEncoderLayer': ['d_model', 0, 'nhead', 1],
  'torch.nn.TransformerDecoderLayer': ['d_model', 0, 'nhead', 1],
  'torch.nn.Conv1d': ['in_channels', 0, 'groups', 6],
  'torch.nn.Conv2d': ['in_channels', 0, 'groups', 6],
};

export default defineCheck({
  id: 'torch/indivisible-heads',
  title: 'A width that cannot be divided among heads or groups',
  rung: 'contracts',
  libraries: ['torch'],
  on: {
    call(event, context) {
      if (event.target === null || !Object.hasOwn(divided, event.target)) return;
      const [wholeName, at, partsName, from] = divided[event.target]!;
      const whole = argument(event, at, wholeName);
      const parts = argument(event, from, partsName);
      const width = whole && context.literal(whole.ref);
      const count = parts && context.literal(parts.ref);
      if (
        !whole ||
        typeof width !== 'number' ||
        typeof count !== 'number' ||
        count <= 0 ||
        width % count === 0
      )
        return;
      const isHeads = partsName !== 'groups';
      const exception = isHeads ? 'AssertionError' : 'ValueError';
      context.report({
        exception,
        message: isHeads
          ? 'embed_dim must be divisible by num_heads'
          : 'in_channels must be divisible by groups',
        evidence: [
          { fact: `${wholeName} is ${width} and ${partsName} is ${count}`, source: context.source(whole) },
        ],
        explanation: `\`${context.text(event.node)}\` raises ${exception}: ${width} is not a multiple of ${count}.`,
        remedy: `Choose ${wholeName} as a multiple of ${count}, for example ${Math.ceil(width / count) * count}.`,
      });
    },
  },
});
