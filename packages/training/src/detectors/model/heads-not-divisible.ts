/**
 * # The width is not divisible by the number of heads
 *
 * ## What
 * An attention layer was made with a width that its heads cannot share evenly.
 *
 * ## Why
 * Each head gets width / heads channels; the remainder has nowhere to go.
 *
 * ## Example
 * `AssertionError: embed_dim must be divisible by num_heads`, `ValueError: The hidden size (770) is not a multiple of the number of
 * attention heads (12)`.
 *
 * ## Stays silent
 * For divisibility of batches or world sizes.
 */
import { numberSetting } from '../../features/task.js';
import { defineDetector } from '../define.js';
import { fromFailure, pathOf } from '../shared/match.js';

export const headsNotDivisible = defineDetector({
  id: 'model/heads-not-divisible',
  subcause: 'heads_not_divisible',
  role: 'root',
  signal: 'text',
  needs: ['text', 'settings'],
  detect: (record, _features, { view }) => {
    const said = fromFailure(
      view,
      /(divisible by|multiple of|divide)[^\n]{0,60}\b(num_)?(attention )?(n_)?heads?\b|\bheads?\b[^\n]{0,60}(divisible|multiple|divide)/i,
      { strength: 0.96 },
    );
    if (said.length > 0) return said;
    const width =
      numberSetting(record, 'n_embd') ??
      numberSetting(record, 'hidden_size') ??
      numberSetting(record, 'd_model') ??
      numberSetting(record, 'embed_dim');
    const heads =
      numberSetting(record, 'n_head') ??
      numberSetting(record, 'num_attention_heads') ??
      numberSetting(record, 'nhead') ??
      numberSetting(record, 'num_heads');
    if (!width || !heads || width % heads === 0) return [];
    return fromFailure(view, /AssertionError|shape '\[.*\]' is invalid/, {
      strength: 0.85,
      when: (failure) => /head/i.test(pathOf(failure)),
    });
  },
});
