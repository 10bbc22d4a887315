/**
 * # The tokenizer and the model's embedding do not belong together
 *
 * ## What
 * The text says that sizes of tokenizer and embedding differ, or a tokenizer was loaded from another family.
 *
 * ## Why
 * Ids of one vocabulary mean other words in another: training goes on, on nonsense, or fails at the first unknown id.
 *
 * ## Example
 * `The tokenizer class you load from this checkpoint is not the same type as the class this function is called from.`,
 * `len(tokenizer) = 32003, embedding rows = 32000`.
 *
 * ## Stays silent
 * On the routine notice that special tokens were added, when training then fell as usual, below what guessing among all words gives.
 */
import { numberSetting } from '../../features/task.js';
import type { RunView } from '../../features/view.js';
import { defineDetector } from '../define.js';
import { citeSetting } from '../shared/cite.js';
import { learningOf } from '../shared/learning.js';
import { findLine, fromFailure } from '../shared/match.js';

/** What differs, and what is done about it at once. */
const mended = /\b(?:aligned|updated|resized|adjusted)\b/i;

const said =
  /tokenizer class you load from this checkpoint is not the same type|tokenizer.{0,60}(does not match|mismatch|differs? from).{0,40}(embedding|model|vocab)|(embedding|vocab\w*).{0,60}(does not match|mismatch|smaller than).{0,40}tokenizer/i;

/** The loss fell, and well below that of guessing among the words, where their number is known. */
function learnedWords(view: RunView): boolean {
  const learning = learningOf(view);
  const { outcomes } = view.task;
  if (!learning?.fell) return false;
  return outcomes === null || outcomes < 2 || learning.movement.end < 0.8 * Math.log(outcomes);
}

export const tokenizerMismatch = defineDetector({
  id: 'data/tokenizer-mismatch',
  subcause: 'tokenizer_mismatch',
  role: 'root',
  signal: 'configuration',
  needs: ['settings', 'text'],
  detect: (record, _features, { view }) => {
    const failure = fromFailure(view, said, { strength: 0.93 });
    if (failure.length > 0) return failure;
    if (learnedWords(view) && view.ending.kind !== 'failed') return [];
    const found = findLine(view, said);
    const line = found && mended.test(found.text) ? null : found;
    if (line)
      return [
        {
          strength: 0.82,
          onset: 0,
          evidence: [{ fact: line.text.trim(), file: line.at.file, line: line.at.line! }],
        },
      ];
    const tokenizer =
      numberSetting(record, 'tokenizer_vocab_size') ??
      numberSetting(record, 'tokenizer_size') ??
      numberSetting(record, 'len_tokenizer');
    const rows = numberSetting(record, 'vocab_size');
    if (tokenizer === null || rows === null || tokenizer <= rows) return [];
    const cited = record.settings
      .filter((entry) => /vocab_size|tokenizer_size|len_tokenizer/.test(entry.key))
      .slice(0, 2);
    return [{ strength: 0.85, onset: 0, evidence: cited.map(citeSetting) }];
  },
});
