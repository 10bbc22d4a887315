/**
 * # The run has stopped making progress
 *
 * ## What
 * No step and no output for fifty times the usual time between steps, twenty times the longest, and two minutes at least.
 *
 * ## Why
 * A dead lock between workers, a lost mount or a collective that waits for ever raises no error, and costs until somebody looks.
 *
 * ## Stays silent
 * Before six steps were seen, while anything is printed or written, and once the run has ended.
 */
import { median } from '../../features/robust.js';
import { definePrecursor } from '../define.js';

const leastSilenceMs = 120_000;
const fewestSteps = 7;

export const hang = definePrecursor({
  id: 'hang',
  title: 'The run has stopped making progress',
  subcause: 'hang',
  expected: 'the run hangs until somebody ends it',
  look: ({ record, view, surroundings, now }) => {
    const { progress, lastChange } = surroundings;
    if (view.ending.kind !== 'unknown' || progress.length < fewestSteps) return [];
    const gaps = progress.slice(1).map((time, index) => time - progress[index]!);
    const longest = gaps.reduce((top, gap) => Math.max(top, gap), 0);
    const silence = now - lastChange;
    if (silence < Math.max(50 * median(gaps), 20 * longest, leastSilenceMs)) return [];
    return [
      {
        step: record.lastStep,
        evidence: [
          {
            fact: `nothing for ${Math.round(silence / 1000)} s after step ${record.lastStep}; steps came every ${Math.max(1, Math.round(median(gaps) / 1000))} s`,
            file: '',
            ...(record.lastStep === null ? {} : { step: record.lastStep }),
          },
        ],
        leadSteps: 0,
      },
    ];
  },
});
