/**
 * # The training code raised an error
 *
 * ## What
 * The first exception of the run is an ordinary error of Python that no narrower detector knows.
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
import { defineDetector } from '../define.js';
import { fromFailure } from '../shared/match.js';

const ordinary =
  /^(NameError|UnboundLocalError|AttributeError|TypeError|SyntaxError|IndentationError|ImportError|KeyError|IndexError|AssertionError|NotImplementedError|RecursionError|ZeroDivisionError|ValueError)\b/;

export const codeError = defineDetector({
  id: 'model/code-error',
  subcause: 'code_error',
  role: 'root',
  signal: 'text',
  needs: ['text'],
  detect: (_record, _features, { view }) => {
    const certain = fromFailure(
      view,
      /^(NameError|UnboundLocalError|AttributeError|SyntaxError|IndentationError|NotImplementedError|RecursionError|TypeError)\b/,
      { strength: 0.82 },
    );
    if (certain.length > 0) return certain;
    const likely = fromFailure(view, ordinary, { strength: 0.66 });
    if (likely.length > 0) return likely;
    // A class of a library's own is raised on misuse; what the system or a kernel refuses has many causes.
    const own = fromFailure(
      view,
      /^(?!OSError|IOError|RuntimeError|ConnectionError|TimeoutError|PermissionError|MemoryError|Exception|DistBackendError|DistNetworkError|DistStoreError)\w+(Error|Exception)\b/,
      {
        strength: 0.62,
      },
    );
    return own.length > 0 ? own : fromFailure(view, /^\w*(Error|Exception)\b/, { strength: 0.5 });
  },
});
