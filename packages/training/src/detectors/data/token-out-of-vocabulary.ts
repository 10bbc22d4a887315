/**
 * # A token id lies outside the embedding table
 *
 * ## What
 * A lookup in the token embedding failed: on the CPU with an IndexError, on a device with an assert in the indexing kernel.
 *
 * ## Why
 * The tokenizer has more words than the model: added special tokens without resizing, another tokenizer, corrupt ids.
 *
 * ## Example
 * `Indexing.cu:1231: indexSelectLargeIndex: block: [3,0,0], thread: [0,0,0] Assertion "srcIndex < srcSelectDimSize" failed.`,
 * then `CUBLAS_STATUS_NOT_INITIALIZED`; on the CPU `IndexError: index out of range in self` from `self.token_embedding(x)`.
 *
 * ## Stays silent
 * When the lookup that failed was the position table's, or the assert is the loss function's.
 */
import { numberSetting } from '../../features/task.js';
import { figure } from '../../record/figures.js';
import { defineDetector, type RunEvidence } from '../define.js';
import { citeDevice, citePoint } from '../shared/cite.js';
import { indexFailure } from '../shared/index-failure.js';

export const tokenOutOfVocabulary = defineDetector({
  id: 'data/token-out-of-vocabulary',
  subcause: 'token_out_of_vocabulary',
  role: 'root',
  signal: 'text',
  needs: ['text', 'batch'],
  detect: (record, _features, { view }) => {
    const failed = indexFailure(view);
    const size = numberSetting(record, 'vocab_size');
    const tokens = view.curve('token_max');
    const beyond = tokens && size !== null ? tokens.values.findIndex((value) => value >= size) : -1;
    const excess: RunEvidence[] =
      tokens && beyond >= 0
        ? [
            citePoint(
              tokens,
              beyond,
              `token id ${figure(tokens.values[beyond]!)} with a vocabulary of ${size}`,
            ),
          ]
        : [];
    if (failed?.table !== 'token') {
      if (excess.length === 0) return [];
      return [{ strength: 0.85, onset: tokens!.steps[beyond]!, evidence: excess }];
    }
    const message = failed.message ? [citeDevice(failed.message)] : [];
    return [
      {
        strength: excess.length > 0 ? 0.98 : failed.strength,
        onset: failed.step,
        evidence: [...message, ...failed.evidence, ...excess],
      },
    ];
  },
});
