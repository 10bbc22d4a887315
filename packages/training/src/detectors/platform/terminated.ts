/**
 * # Somebody or something outside ended the run
 *
 * ## What
 * The run was healthy and a termination signal, a cancellation or an interrupt from the keyboard stopped it.
 *
 * ## Why
 * Nothing in the run is at fault: a person, a wrapper script or a node going down sent the signal.
 *
 * ## Example
 * `slurmstepd: error: *** JOB 42 ON n1 CANCELLED AT ... ***`, `SignalException: Process 81 got signal: 15`,
 * `KeyboardInterrupt`.
 *
 * ## Stays silent
 * Speaks weakly when the run stood still or one rank held up all others: somebody ended it because of that. Silent when a time limit or a preemption is named, and when an error came before the signal: launchers end the other ranks
 * with SIGTERM after the first one failed. An interrupt by hand is no failure: the cause is named, the outcome stays open, and what
 * the curves show comes before it; before training began it is not even named.
 */

import type { Failure } from '../../features/failures.js';
import type { RunView } from '../../features/view.js';
import { isCancelledAfter, isConsequence, leftByItself, wasKilled } from '../../ranks/lost/consequence.js';
import { defineDetector, type Observation } from '../define.js';
import { citeExit, citeLine } from '../shared/cite.js';
import { findLine, fromFailure, fromLine } from '../shared/match.js';
import { nonFiniteOf } from '../shared/nonfinite.js';
import { isHeldUp } from '../shared/pace.js';
import { failedByItself } from '../shared/standstill.js';
import { stoodStill } from '../shared/stoppage.js';
import { hangText } from './hang.js';

const named = /due to time limit|time limit|preempt|spot|wall ?time/i;

const interrupt =
  /^(KeyboardInterrupt|SignalException)|got signal: (15|2)\b|received SIGTERM|SIG(?:TERM|INT|HUP) \(@\w+\) received|^FatalError: `Termination signal`/i;

/** Whoever stops a run by hand often saw what its curves show: those come first. */
const stoppedByHand = 0.72;

const byHandOnly = (found: Observation): Observation => ({ ...found, role: 'cascade', open: true });

/** One process went on after the interrupt, in the same log, to an error of its own: somebody started it once more. */
function failedAgain({ failures }: RunView, { at, rank }: Failure): boolean {
  const isBehind = (other: Failure) => other.at.file === at.file && (other.at.line ?? 0) > (at.line ?? 0);
  return (
    rank === null &&
    failures.every((other) => other.rank === null) &&
    failures.some(
      (other) => isBehind(other) && other.depth === 0 && !interrupt.test(other.text) && !isConsequence(other),
    )
  );
}

/** Whoever stops a program that has measured nothing, and is not in its loop yet, takes nothing from it. */
function hadBegun({ record, failures }: RunView): boolean {
  return (
    record.lastStep !== null ||
    record.series.length > 0 ||
    failures.some(({ frames }) => frames.some((frame) => /train|fit|epoch/i.test(frame.function)))
  );
}

/** SIGKILL leaves no word: with no trace of memory running out, somebody or something outside sent it. */
function killedOutright(view: RunView): Observation[] {
  // A launcher that reports the death raises too: that is no error of the run's own.
  if (failedByItself(view)) return [];
  const exit = view.record.exits.find((entry) => entry.signal === 'SIGKILL' || entry.code === 137);
  const line = findLine(view, /^\s*(\S+: line \d+: +\d+ )?Killed\b/);
  if (!exit && !line) return [];
  return [
    {
      strength: 0.7,
      onset: view.record.lastStep,
      evidence: [exit ? citeExit(exit) : citeLine(line!)],
    },
  ];
}

export const terminated = defineDetector({
  id: 'platform/terminated',
  subcause: 'terminated',
  role: 'root',
  signal: 'exit',
  needs: ['exit'],
  detect: (record, _features, { view }) => {
    if (findLine(view, named)) return [];
    const byHand = view.ending.kind === 'interrupted';
    if (byHand && !hadBegun(view)) return [];
    // A rank that left with a code of its own, or crashed: its launcher ended the others.
    const left = record.exits.some(
      (exit) => leftByItself(exit) || (wasKilled(exit) && exit.signal !== 'SIGKILL'),
    );
    // Whoever ended it had a reason: it stood still, or one rank held up all others.
    const hadReason = findLine(view, hangText) !== null || stoodStill(view) || isHeldUp(view);
    const ended = hadReason ? 0.6 : 0.9;
    const interrupted = fromFailure(view, interrupt, {
      strength: byHand ? (nonFiniteOf(view) ? 0.5 : stoppedByHand) : ended,
      when: (failure) => !failedAgain(view, failure) && !(left && failure.type === 'SignalException'),
    });
    if (interrupted.length > 0) return byHand ? interrupted.map(byHandOnly) : interrupted;
    const own = view.failures.length > 0;
    const exit = record.exits.find(
      (entry) =>
        (entry.reason === 'cancelled' && !isCancelledAfter(record.exits, entry)) ||
        entry.reason === 'node_failure' ||
        (!own &&
          !left &&
          (entry.signal === 'SIGTERM' || entry.signal === 'SIGINT' || entry.signal === 'SIGHUP')),
    );
    const observed: Observation[] = exit
      ? [
          {
            strength: own ? 0.5 : ended,
            onset: exit.step ?? record.lastStep,
            evidence: [citeExit(exit)],
          },
        ]
      : fromLine(
          view,
          /CANCELLED AT|got signal: 15|received (SIGTERM|signal 15)|^Terminated\b|aborting due to window-close event/i,
          {
            strength: own ? 0.4 : 0.85,
          },
        );
    if (observed.length === 0 && !own)
      observed.push(
        ...fromLine(view, /^KeyboardInterrupt|aborting due to control-c event/i, {
          strength: stoppedByHand,
        }).map(byHandOnly),
      );
    if (observed.length === 0) return killedOutright(view);
    return byHand ? observed.map(byHandOnly) : observed;
  },
});
