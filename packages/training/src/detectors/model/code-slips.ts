/**
 * # The code beside the numbers has a slip
 *
 * ## What
 * A training loop, a model or a split was pasted beside its numbers, it has a known slip, and the numbers are those that this slip gives.
 *
 * ## Why
 * Gradients that are never set to zero, a step that is made twice, the logarithm of a probability that may be 0, one output for many classes, a
 * softmax too many, a sign, a loss that is cut off from the weights, sorted rows that are cut in two, whole numbers that are divided, a rate
 * that its optimizer does not bear.
 *
 * ## Example
 * A loop with `loss.backward()` and `optimizer.step()` without `zero_grad()`, and a loss of 1.0, 0.4, 0.1, 0.3, 0.8.
 *
 * ## Stays silent
 * When the code has the slip and the numbers do not show it, and for code that a traceback quotes.
 */
import type { RunView } from '../../features/view.js';
import { defineDetector, type Observation } from '../define.js';
import { citeLine } from '../shared/cite.js';
import { pastedCode } from '../shared/pasted-code.js';
import { type Slip, slips } from '../shared/slips.js';

export const codeSlips = defineDetector({
  id: 'model/code-slips',
  subcause: 'code_error',
  role: 'root',
  signal: 'curve',
  needs: ['text', 'loss'],
  outweighs: ['curve', 'data'],
  detect: (_record, _features, { view }) => slips.flatMap((slip) => seen(view, slip)).slice(0, 1),
});

function seen(view: RunView, { subcause, strength, says, shows, fact }: Slip): Observation[] {
  const code = pastedCode(view);
  const part = code && says(code.text);
  const shown = part && shows(view);
  if (!code || !part || !shown) return [];
  const line = code.lines.find(({ text }) => part.test(text)) ?? code.lines[0]!;
  const place = citeLine(line);
  return [
    {
      subcause,
      strength,
      onset: shown.step ?? null,
      evidence: [{ ...place, fact: `${place.fact.trim()}: ${fact}` }, shown],
    },
  ];
}
