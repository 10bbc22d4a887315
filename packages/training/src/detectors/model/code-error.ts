/**
 * # The training code raised an error
 *
 * ## What
 * The first exception of the run is an ordinary Python error that no narrower detector knows.
 *
 * ## Why
 * A misspelt name, a wrong type, a missing attribute: the traceback's own line says where.
 *
 * ## Example
 * `AttributeError: 'Namespace' object has no attribute 'warmup'`, `NameError: name 'los' is not defined`.
 *
 * ## Stays silent
 * For exceptions whose class says nothing about code (RuntimeError, OSError of unknown text weigh less).
 */
import { tellsOfNaN } from '../../messages/judge.js';
import { isConsequence, leftByItself } from '../../ranks/lost/consequence.js';
import type { Exit, RunRecord } from '../../record/run-record.js';
import { defineDetector } from '../define.js';
import { citeExit } from '../shared/cite.js';
import { fromFailure } from '../shared/match.js';
import { nonFiniteOf } from '../shared/nonfinite.js';

const ordinary =
  /^(NameError|UnboundLocalError|AttributeError|TypeError|SyntaxError|IndentationError|ImportError|KeyError|IndexError|AssertionError|NotImplementedError|RecursionError|ZeroDivisionError|ValueError)\b/;

/** Files, wires, devices and other processes fail for reasons that no line of code shows. */
const outside =
  /\bopen|connect|socket|permission|denied|server|http|network|system|kill|terminat|signal|worker|process|nccl|cuda|cudnn|driver|memory|time[d ]*out|\bnan\b|not finite|infinite/i;

/** So do reads of rows and requests; without a traceback nothing says that a line of code was in the way. */
const ofInput =
  /\bfiles?\b(?! not found)|\brequests?\b|\burl\b|\bdata\b|\brows?\b|\balloc|\binfs?\b|\bnans\b|\bhttps?:/i;

/** Any class, whatever it is called, but those that the system, a wire or a person raises. */
const ofCode =
  /^(?!OSError|IOError|FloatingPointError|RuntimeError|PermissionError|MemoryError|Exception|EOFError|UnknownError|InternalError|AbortedError|CancelledError|KeyboardInterrupt|SystemExit|SignalException|\w*(?:Connect|Pipe|Timeout|Socket|Rpc|Actor|Worker|Process|Unavailable|Horovod|Dist[A-Z])\w*)\w+/;
/** Without a traceback only its name says that it is one. */
const calledError =
  /(?:Error|Exception|Fail(?:ed)?|NotFound|Invalid|Unsupported|Missing|Mismatch|Needed|Required|Conflict)$/;

const ofSummary =
  /^\s*$|^[=\s-]+$|ChildFailedError|FAILED$|^\s*(?:Failures:|Root Cause|<NO_OTHER_FAILURES>|\[\d+\]:|(?:time|host|rank|exitcode|error_file|traceback|msg) *:)/;

/** Of the job only a launcher's table was pasted: what the rank itself said is missing, so it may have said anything. */
function summaryAlone({ series, text }: RunRecord): boolean {
  return series.length === 0 && text.lines.every((line) => ofSummary.test(line.text));
}

export const codeError = defineDetector({
  id: 'model/code-error',
  subcause: 'code_error',
  role: 'root',
  signal: 'text',
  needs: ['text'],
  detect: (record, _features, { view }) => {
    // A rank that leaves by itself and without a word does what its code says; where its numbers are none, that was why.
    const isSilent = ({ rank: own }: Exit) => !view.failures.some(({ rank }) => rank === own);
    const left =
      view.failures.every(isConsequence) && !nonFiniteOf(view)
        ? record.exits.find((exit) => leftByItself(exit) && isSilent(exit))
        : undefined;
    if (left && !summaryAlone(record))
      return [{ strength: 0.7, onset: left.step ?? record.lastStep, evidence: [citeExit(left)] }];
    const certain = fromFailure(
      view,
      /^(NameError|UnboundLocalError|AttributeError|SyntaxError|IndentationError|NotImplementedError|RecursionError|TypeError)\b/,
      { strength: 0.82 },
    );
    if (certain.length > 0) return certain;
    const likely = fromFailure(view, ordinary, { strength: 0.66, when: (failure) => !tellsOfNaN(failure) });
    if (likely.length > 0) return likely;
    // A class of a library's own is raised on misuse; what the system or a kernel refuses has many causes.
    const own = fromFailure(view, ofCode, {
      strength: 0.62,
      when: (failure) =>
        !tellsOfNaN(failure) &&
        (failure.frames.length > 0 ||
          (calledError.test(failure.type) &&
            !(outside.test(failure.message) || ofInput.test(failure.message)))),
    });
    if (own.length > 0) return own;
    // Raised on the way through code, and not about what lies outside of it.
    const raised = fromFailure(view, /^(RuntimeError|Exception)\b/, {
      strength: 0.62,
      when: (failure) => failure.frames.length > 0 && !outside.test(failure.message),
    });
    return raised.length > 0 ? raised : fromFailure(view, /^\w*(Error|Exception)\b/, { strength: 0.5 });
  },
});
