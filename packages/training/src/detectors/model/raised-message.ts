/**
 * # A message tells what is wrong
 *
 * ## What
 * The first error of the run is one that a library is known to raise, or one whose words, class and place say what it complains of.
 *
 * ## Why
 * Libraries have thousands of messages. Grus reads them from the libraries themselves, with the place that raises each, and judges
 * new ones by the same few rules: a complaint about labels is the data's, one about a missing package the installation's.
 *
 * ## Example
 * `CatBoostError: Target contains only one unique value`, `RuntimeError: linalg.solve: A must be batches of square matrices`.
 *
 * ## Stays silent
 * Where another detector knows the message better, after errors from which training went on, and where the words say nothing.
 */
import { judgeMessage } from '../../messages/judge.js';
import { tellsRanks } from '../../ranks/present/presence.js';
import { defineDetector } from '../define.js';
import { citeFailure } from '../shared/cite.js';
import { handled, placeWeight, wasHandled } from '../shared/match.js';

export const raisedMessage = defineDetector({
  id: 'model/raised-message',
  subcause: 'code_error',
  role: 'root',
  signal: 'text',
  needs: ['text'],
  general: true,
  detect: (record, _features, { view }) => {
    // Whatever its cause, an error that is only told in words did not end this run.
    if (view.ending.kind === 'completed') return [];
    for (const failure of view.failures) {
      const judged = judgeMessage(failure);
      // The words of a message alone blame no machine among many.
      if (!judged || (judged.subcause === 'device_fault' && tellsRanks(record))) continue;
      const evidence = citeFailure(failure);
      return [
        {
          subcause: judged.subcause,
          strength: judged.certainty * placeWeight(failure) * (wasHandled(view, failure) ? handled : 1),
          onset: failure.step ?? record.lastStep,
          evidence: [
            evidence,
            ...(judged.from === null ? [] : [{ ...evidence, fact: `${judged.from} raises this message` }]),
          ],
          ...(failure.order === 0 ? {} : { role: 'cascade' as const }),
        },
      ];
    }
    return [];
  },
});
