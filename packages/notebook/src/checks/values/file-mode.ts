/**
 * # A file that was opened the other way
 *
 * ## What
 * `write` or `writelines` of a file that the cell opened for reading, or `read`, `readline` or `readlines` of one that it opened
 * for writing; bytes for a file that was opened for text, and the other way round: `pickle.dump` into a text file, a number for
 * `write`.
 *
 * ## Why it crashes
 * Python raises `io.UnsupportedOperation: not writable` or `not readable`. A text file takes nothing but strings, a binary one
 * nothing but bytes: `TypeError: write() argument must be str, not bytes`.
 *
 * ## Example
 * ```python state
 * from pathlib import Path
 *
 * _ = Path("log.txt").write_text("start\n")
 * ```
 * ```python cell
 * with open("log.txt") as f:
 *     f.write("done")
 * ```
 *
 * ## Fix
 * Open the file with the mode that is needed: `"a"` to append, `"w"` to write anew, `"r+"` for both, `"wb"` for bytes.
 * Numbers become text with `str(…)`.
 * ```python fixed
 * with open("log.txt", "a") as f:
 *     f.write("done")
 * ```
 *
 * ## When it stays silent
 * For files that were not opened in the cell, and when the mode is not known.
 */
import type { EventOf, Operand } from '../../reasoning/events.js';
import type { Fact } from '../../reasoning/facts.js';
import { type CheckContext, defineCheck } from '../define-check.js';

const writing = new Set(['write', 'writelines']);
const reading = new Set(['read', 'readline', 'readlines']);
/** What is handed over in the end. */
const dumped: Readonly<Record<string, 'str' | 'bytes'>> = {
  'pickle.dump': 'bytes',
  'dill.dump': 'bytes',
  'cloudpickle.dump': 'bytes',
  'json.dump': 'str',
};

export default defineCheck({
  id: 'values/file-mode',
  title: 'A file that was opened the other way',
  rung: 'contracts',
  libraries: [],
  on: {
    call(event, context) {
      const { receiver, method, target, args } = event;
      if (receiver && method !== null) {
        const mode = modeOf(context, receiver);
        if (mode === undefined || judgeDirection(event, receiver, mode, context)) return;
        const [given] = args.positional;
        const type = given && method === 'write' ? typeName(given.fact) : undefined;
        if (type !== undefined) judgeContents(event, receiver, mode, type, context);
        return;
      }
      const type = target !== null && Object.hasOwn(dumped, target) ? dumped[target] : undefined;
      const file = args.positional[1] ?? args.keywords.get('fp') ?? args.keywords.get('file');
      const mode = type && file ? modeOf(context, file) : undefined;
      if (mode !== undefined && /[wax+]/.test(mode)) judgeContents(event, file!, mode, type!, context);
    },
  },
});

function modeOf(context: CheckContext, { fact }: Operand): string | undefined {
  if (!/^io\.(TextIOWrapper|IOBase)$/.test(fact.class ?? '')) return undefined;
  const held = (fact.options ?? fact.attributes)?.get('mode');
  const mode = held === undefined ? undefined : context.literal(held);
  return typeof mode === 'string' ? mode : undefined;
}

/** Whether it reads what can only be written, or the other way round. */
function judgeDirection(event: EventOf<'call'>, file: Operand, mode: string, context: CheckContext): boolean {
  const isReader = !/[wax]/.test(mode);
  if (mode.includes('+') || !(isReader ? writing : reading).has(event.method!)) return false;
  const name = context.text(file.node);
  const what = isReader ? 'writable' : 'readable';
  context.report({
    exception: 'UnsupportedOperation',
    message: mode.includes('b') ? event.method! : `not ${what}`,
    evidence: [{ fact: `${name} was opened with mode '${mode}'`, source: context.source(file) }],
    explanation: `\`${context.text(event.node)}\` raises UnsupportedOperation: ${name} is not ${what}.`,
    remedy: isReader
      ? 'Open the file with "a" to append or with "w" to write it anew.'
      : 'Open the file with "r" to read it, or with "r+" for both.',
  });
  return true;
}

function judgeContents(
  event: EventOf<'call'>,
  file: Operand,
  mode: string,
  type: string,
  context: CheckContext,
): void {
  const isBinary = mode.includes('b');
  if (isBinary ? type !== 'str' : type === 'str') return;
  const name = context.text(file.node);
  context.report({
    exception: 'TypeError',
    message: isBinary
      ? `a bytes-like object is required, not '${type}'`
      : `write() argument must be str, not ${type}`,
    evidence: [{ fact: `${name} was opened with mode '${mode}'`, source: context.source(file) }],
    explanation: `\`${context.text(event.node)}\` raises TypeError: ${name} takes ${isBinary ? 'bytes' : 'text'}, and gets ${type}.`,
    remedy:
      type === 'bytes' || type === 'str'
        ? `Open the file with mode '${isBinary ? mode.replace('b', '') : `${mode}b`}'.`
        : 'Make it text first: `str(…)` or an f-string.',
  });
}

/** The type as the message names it, of what is certainly no string or certainly one. */
function typeName(fact: Fact): string | undefined {
  if (fact.kind === 'none') return 'None';
  const isPlain =
    fact.kind === 'scalar' || fact.kind === 'list' || fact.kind === 'tuple' || fact.kind === 'dict';
  const [, name] = isPlain ? (/^builtins\.(\w+)$/.exec(fact.class ?? '') ?? []) : [];
  return name;
}
