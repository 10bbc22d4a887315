/**
 * # The sequence is longer than the position table
 *
 * ## What
 * A lookup of a position failed, or the model's own check of the length did.
 *
 * ## Why
 * Learned positions end at a fixed length; longer inputs index past the table.
 *
 * ## Example
 * `AssertionError: Cannot forward sequence of length 1280, block size is only 1024`; `IndexError: index out of range in self`
 * from `self.wpe(pos)`.
 *
 * ## Stays silent
 * On the tokenizer's warning alone: truncation may still follow.
 */
import { defineDetector } from '../define.js';
import { citeDevice, citeLine } from '../shared/cite.js';
import { indexFailure } from '../shared/index-failure.js';
import { findLine, fromFailure } from '../shared/match.js';

const said =
  /Cannot forward sequence of length|block size is only|sequence length .*(exceeds?|longer than|greater than|must be (less|<=)).*(max|position|block)|exceeds? (the )?(maximum|max_position|context|model's) .*(length|positions|size|window)|max_position_embeddings|longer than (the )?(max|context|block)|max(imum)? sequence length/i;
const tokenizerWarning = /Token indices sequence length is longer than the specified maximum sequence length/;

export const positionTable = defineDetector({
  id: 'model/position-table',
  subcause: 'position_table',
  role: 'root',
  signal: 'text',
  needs: ['text'],
  detect: (_record, _features, { view }) => {
    const warning = findLine(view, tokenizerWarning);
    const also = warning ? [citeLine(warning)] : [];
    const failure = fromFailure(view, said, { strength: 0.95, also: () => also });
    if (failure.length > 0) return failure;
    const failed = indexFailure(view);
    if (!failed || (failed.table !== 'position' && !(warning && failed.table !== 'label'))) return [];
    const message = failed.message ? [citeDevice(failed.message)] : [];
    return [
      {
        strength: failed.table === 'position' ? 0.95 : 0.97,
        onset: failed.step,
        evidence: [...message, ...failed.evidence, ...also],
      },
    ];
  },
});
