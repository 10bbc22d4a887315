/**
 * # An index beyond the rows of an embedding
 *
 * ## What
 * An `Embedding` gets an index that is negative or not below `num_embeddings`, or for indices that are not integers.
 *
 * ## Why it crashes
 * There is no row for it: `IndexError: index out of range in self`; floats raise `RuntimeError`.
 *
 * ## Example
 * ```python state
 * import torch
 * from torch import nn
 *
 * ids = torch.tensor([3, 500])
 * table = nn.Embedding(500, 16)
 * ```
 * ```python cell
 * table(ids)
 * ```
 *
 * ## Fix
 * Make the embedding one row larger than the largest index, or fix the encoding of the tokens.
 * ```python fixed
 * nn.Embedding(501, 16)(ids)
 * ```
 *
 * ## When it stays silent
 * When the indices are not known, or not on the CPU.
 */
import { attributeOf } from '../../libraries/torch/layer-attributes.js';
import { defineCheck } from '../define-check.js';
import { moduleCall } from './shared.js';

export default defineCheck({
  id: 'torch/embedding-index',
  title: 'An index beyond the rows of an embedding',
  rung: 'contracts',
  libraries: ['torch'],
  on: {
    call(event, context) {
      const call = moduleCall(event);
      if (call?.module.class !== 'torch.nn.Embedding') return;
      const { module, input } = call;
      const rows = attributeOf(context.look, module, 'num_embeddings');
      const { values, dtype, device } = input.fact;
      const given = context.text(input.node);
      if (dtype !== undefined && /^float/.test(dtype)) {
        context.report({
          exception: 'RuntimeError',
          message:
            "Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int",
          evidence: [{ fact: `${given} is of ${dtype}`, source: context.source(input) }],
          explanation: `\`${context.text(event.node)}\` raises RuntimeError: indices must be integers, and ${given} is of ${dtype}.`,
          remedy: `Convert them: \`${given}.long()\`.`,
        });
        return;
      }
      if (typeof rows !== 'number' || (device !== undefined && device !== 'cpu')) return;
      const wrong = [values?.max, values?.min].find(
        (value) => value !== undefined && (value >= rows || value < 0),
      );
      if (wrong === undefined || dtype === undefined || !/^int(32|64)$/.test(dtype)) return;
      context.report({
        exception: 'IndexError',
        message: 'index out of range in self',
        evidence: [
          { fact: `${given} holds the index ${wrong}`, source: context.source(input) },
          { fact: `the embedding has ${rows} rows`, source: context.source(event.callee) },
        ],
        explanation: `\`${context.text(event.node)}\` raises IndexError: ${given} holds ${wrong}, and the embedding has ${rows} rows.`,
        remedy: `Make the embedding at least ${Math.max(wrong + 1, rows)} rows large, or fix the indices.`,
      });
    },
  },
});
