/**
 * # The run stopped making progress
 *
 * ## What
 * The clock of the artefacts goes on long after the last step: far longer than any step took.
 *
 * ## Why
 * A dead lock between workers, a lost network mount or a collective that waits for ever raises no error.
 *
 * ## Example
 * Steps every 2 s until 10:04, the next line at 10:41 is the scheduler's.
 *
 * ## Stays silent
 * Without times, between two starts of a program in one log, while evaluation or a checkpoint explains a pause (under fifty times the usual step, unless the run itself says that it waits), and when a run completed.
 */
import type { Curve } from '../../features/curve.js';
import { median } from '../../features/robust.js';
import { worksOnBehind } from '../../features/said-again.js';
import type { RunView } from '../../features/view.js';
import { tellsRanks } from '../../ranks/present/presence.js';
import { stoppageIn } from '../../ranks/waiting/stoppage.js';
import type { TextLine, Where } from '../../record/run-record.js';
import { defineDetector } from '../define.js';
import { citePoint } from '../shared/cite.js';
import { fromFailure, fromLine } from '../shared/match.js';
import { causeOfStoppage } from '../shared/stoppage.js';

/** What watchdogs and stack dumps print about a run that stands still. */
export const hangText =
  /no progress for \d+|watchdog.*(stuck|hang|stall)|training (is|seems|appears) (hung|stuck|stalled)|stalled for \d+|Timeout \(\d+:\d\d:\d\d\)!/i;

export const loaderGaveUp = /DataLoader timed out after \d+/;

/** How often the run says, after its last step, that it lives and waits. */
function waitingLines(view: RunView, last: Where): number {
  return view.lines.filter(
    ({ text, at }) =>
      at.file === last.file &&
      (at.line ?? 0) > (last.line ?? Number.POSITIVE_INFINITY) &&
      /heartbeat|keep-?alive|still (waiting|running|alive)|waiting (for|on) /i.test(text),
  ).length;
}

/** Behind its last point the program says again what it said before its first: the silence lies between two starts. */
function begunAnew({ record }: RunView, curve: Curve): boolean {
  const [first, last] = [curve.where(0), curve.where(curve.length - 1)];
  const shape = ({ text }: TextLine): string => text.replace(/\d+/g, '#').trim();
  const told = record.text.lines.filter(({ text, at }) => at.file === last.file && text.trim().length >= 20);
  const opening = new Set(told.filter(({ at }) => (at.line ?? 0) < (first.line ?? 0)).map(shape));
  return told.some((line) => (line.at.line ?? 0) > (last.line ?? 0) && opening.has(shape(line)));
}

/** Steps followed the last of these words, or each rank says more behind them: stacks that are printed every few minutes tell of no standstill. */
function wentOn({ lines, record }: RunView): boolean {
  const told = new Map(
    lines.filter(({ text }) => hangText.test(text)).map((line) => [`${line.rank} ${line.at.file}`, line]),
  );
  const step = [...told.values()].at(-1)?.step ?? null;
  if (step !== null && record.lastStep !== null && record.lastStep > step) return true;
  return told.size > 0 && [...told.values()].every(({ rank, at }) => worksOnBehind(record, rank, at));
}

export const hang = defineDetector({
  id: 'platform/hang',
  subcause: 'hang',
  role: 'root',
  signal: 'curve',
  needs: ['throughput'],
  detect: (record, _features, { view }) => {
    if (view.ending.kind === 'completed') return [];
    // Of several ranks, one whose data does not come is a cause of its own.
    const refused = fromFailure(view, loaderGaveUp, { strength: 0.9 });
    if (refused.length > 0) return tellsRanks(record) ? [] : refused;
    // Where it is known what the rank was doing that the others waited for, that is the cause.
    const stoppage = stoppageIn(view);
    const isKnown = stoppage !== null && causeOfStoppage(view, stoppage) !== null;
    const said = wentOn(view) ? [] : fromLine(view, hangText, { strength: isKnown ? 0.5 : 0.82 });
    const curve = view.curve('loss');
    if (!curve || curve.length < 6) return said;
    const last = curve.length - 1;
    const waits = waitingLines(view, curve.where(last));
    if (waits >= 5)
      return [
        {
          strength: view.failures.length > 0 ? 0.5 : 0.76,
          onset: record.lastStep,
          evidence: [
            citePoint(curve, last, `no step after this one, while ${waits} lines say that the run waits`),
          ],
        },
      ];
    if (record.endTime === null) return said;
    const times = Array.from(curve.series.times).filter((time) => Number.isFinite(time));
    if (times.length < 6) return said;
    const gaps = times
      .slice(1)
      .map((time, index) => time - times[index]!)
      .filter((gap) => gap > 0);
    const longest = gaps.reduce((a, b) => Math.max(a, b), 0);
    const silence = record.endTime - times.at(-1)!;
    const limit = Math.max(50 * median(gaps), 20 * longest, 120_000);
    const waited = waits >= 3 && silence > Math.max(30 * median(gaps), 10 * longest, 10_000);
    if (gaps.length < 5 || (silence < limit && !waited) || begunAnew(view, curve)) return said;
    return [
      {
        strength: view.failures.length > 0 ? 0.5 : 0.85,
        onset: record.lastStep,
        evidence: [
          citePoint(
            curve,
            curve.length - 1,
            `no step for ${Math.round(silence / 1000)} s after this one; steps took ${Math.round(median(gaps)) / 1000} s`,
          ),
        ],
      },
    ];
  },
});
