/**
 * # A rank never arrived or went away
 *
 * ## What
 * The rendezvous did not complete, or a peer closed its connection.
 *
 * ## Why
 * A node did not start, a wrong address or port was given, a firewall is in between, or a rank died: its own error, if
 * it is on record, is the cause.
 *
 * ## Example
 * `RuntimeError: [gloo/transport/tcp/pair.cc:534] Connection closed by peer`, `DistNetworkError: The client socket has timed out
 * after 600000ms while trying to connect to (10.0.0.1, 29500)`.
 *
 * ## Stays silent
 * As a root while another rank's own exception is on record, or that it left by itself, with or without a code of its own.
 */
import type { RunView } from '../../features/view.js';
import { leftByItself } from '../../ranks/lost/consequence.js';
import { deathIn, leftEarly } from '../../ranks/lost/left.js';
import type { TextLine, Where } from '../../record/run-record.js';
import { defineDetector, type Observation } from '../define.js';
import { citeDevice, citeLine } from '../shared/cite.js';
import { findLine, fromFailure, fromLine } from '../shared/match.js';
import { failedByItself } from '../shared/standstill.js';

const pattern =
  /waiting for clients|\d+\/\d+ clients joined|Connection (closed by (?:remote )?peer|reset by peer|refused)|socket has (timed out|failed to)|DistNetworkError|RendezvousTimeout|RendezvousConnectionError|rendezvous.*(failed|timeout|timed out)|Not all ranks|ranks? .*(did not|not) (join|report|arrive)|NCCL (error|failure).*(remote|unhandled system|network|internal error)|ncclRemoteError|ncclSystemError|ActorDiedError|world size.*mismatch|only \d+ (of|out of) \d+ (workers|ranks|clients) joined/i;

/** A coordinator no longer hears one of its members. */
const unheard =
  /\b(?:heartbeat timeout|missed too many heartbeats|stopped sending heartbeats|ssh exited with exit code 255|node has died|marked dead)\b/i;

/** The communication could not be set up: an address that nobody answers at, a rank that came twice. */
const setUp =
  /NCCL (?:WARN|INFO)\b.*(?:\bconnect\w*\b.*\b(?:failed|refused|abort(?:ed)?|timed out|unreachable|no route)\b|already checked in)/i;
/** Some ranks handed something in and wait for the others. */
const waitsForOthers =
  /\bwaiting for (?:the )?remainder of ranks\b|\bsubset of ranks\b|^\W*(?:missing|stalled) ranks\b|ncclRemoteError|Not all ranks (?:have )?(?:joined|reported)|RendezvousTimeout/i;

/** Told by a line alone, after which nothing was measured: what goes on found its ranks in the end. */
function notMet(view: RunView): Observation[] {
  const { lastStep, series } = view.record;
  const begun = lastStep !== null || series.some(({ length }) => length > 0);
  const line =
    (begun ? null : findLine(view, setUp)) ?? lastWaiting(view).find(({ at }) => isLast(view, at)) ?? null;
  return line ? [{ strength: 0.74, onset: line.step, evidence: [citeLine(line)] }] : [];
}

/** The last such line of each file: the ones before it are told again and again. */
function lastWaiting({ lines }: RunView): readonly TextLine[] {
  const last = new Map<string, TextLine>();
  for (const line of lines) if (waitsForOthers.test(line.text)) last.set(line.at.file, line);
  return [...last.values()];
}

function isLast({ record, lines }: RunView, { file, line = 0 }: Where): boolean {
  const isBehind = (at: Where): boolean => at.file === file && (at.line ?? 0) > line;
  const measured = record.series.some(
    (points) => points.length > 0 && isBehind(points.where(points.length - 1)),
  );
  return !measured && lines.filter(({ at, text }) => isBehind(at) && !waitsForOthers.test(text)).length < few;
}

/** So many lines of other things behind a warning are those of a program that goes on. */
const few = 5;

export const missingRank = defineDetector({
  id: 'distributed/missing-rank',
  subcause: 'missing_rank',
  role: 'root',
  signal: 'text',
  needs: ['text'],
  detect: (record, _features, { view }) => {
    const dead = deathIn(view);
    const other =
      failedByItself(view) ||
      leftEarly(view) !== null ||
      record.exits.some((exit) => exit.rank === dead && leftByItself(exit));
    const gone = record.device.filter(({ kind }) => kind === 'rank_gone').slice(0, 3);
    if (gone.length > 0 && !other) return [{ strength: 0.93, evidence: gone.map(citeDevice) }];
    const failure = fromFailure(view, pattern, {
      strength: other ? 0.45 : 0.88,
      when: (found) =>
        !/http|huggingface|download|urllib|requests|address already in use|EADDRINUSE/i.test(found.text) &&
        !/multiprocessing/.test(found.frames.at(-1)?.file ?? ''),
    });
    return failure.length > 0
      ? failure
      : other
        ? []
        : (view.ending.kind === 'completed' ? [] : fromLine(view, unheard, { strength: 0.88 })).concat(
            notMet(view),
          );
  },
});
