/**
 * # Rows of different lengths become an array
 *
 * ## What
 * `np.array` or `torch.tensor` of nested lists whose rows have different lengths.
 *
 * ## Why it crashes
 * NumPy (since 1.24) raises `ValueError: setting an array element with a sequence … inhomogeneous shape`, torch
 * `ValueError: expected sequence of length …`.
 *
 * ## Example
 * ```python state
 * import numpy as np
 *
 * rows = [[1, 2], [3]]
 * ```
 * ```python cell
 * np.array(rows)
 * ```
 *
 * ## Fix
 * Pad the rows to one length, or pass `dtype=object`.
 * ```python fixed
 * np.array(rows, dtype=object)
 * ```
 *
 * ## When it stays silent
 * With a dtype given, and when a length is not known.
 */

import { nestedShape } from '../../libraries/numpy/functions.js';
import { argument } from '../../reasoning/arguments.js';
import { defineCheck } from '../define-check.js';
import { atLeast } from '../versions.js';

export default defineCheck({
  id: 'shapes/ragged-array',
  title: 'Rows of different lengths become an array',
  rung: 'contracts',
  libraries: ['numpy', 'torch'],
  on: {
    call(event, context) {
      const isTensor = event.target === 'torch.tensor';
      if (
        (!isTensor && event.target !== 'numpy.array' && event.target !== 'numpy.asarray') ||
        !event.args.complete
      )
        return;
      const data = argument(event, 0, isTensor ? 'data' : 'object');
      const dtype = argument(event, isTensor ? null : 1, 'dtype');
      if (!data || (dtype && !isTensor) || (data.fact.kind !== 'list' && data.fact.kind !== 'tuple')) return;
      if (nestedShape(context, data.fact) !== null || (!isTensor && !atLeast(context, 'numpy', [1, 24])))
        return;
      const name = context.text(data.node);
      context.report({
        exception: 'ValueError',
        message: isTensor
          ? 'expected sequence of another length'
          : 'setting an array element with a sequence. The requested array has an inhomogeneous shape…',
        evidence: [{ fact: `the rows of ${name} have different lengths`, source: context.source(data) }],
        explanation: `\`${context.text(event.node)}\` raises ValueError: the rows of ${name} have different lengths.`,
        remedy: 'Pad the rows to one length, or pass `dtype=object`.',
      });
    },
  },
});
