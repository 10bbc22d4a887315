/**
 * # A program that is not installed
 *
 * ## What
 * `subprocess.run`, `Popen`, `call`, `check_call` or `check_output` starts a program that is not on the search path of the kernel.
 *
 * ## Why it crashes
 * Without a shell Python starts the program itself and raises `FileNotFoundError: [Errno 2] No such file or directory`.
 *
 * ## Example
 * ```python state
 * import subprocess
 * ```
 * ```python cell
 * subprocess.run(["pdftotext-9", "paper.pdf"])
 * ```
 *
 * ## Fix
 * Install the program, or look for it with `shutil.which` first.
 * ```python fixed
 * import shutil
 *
 * if shutil.which("pdftotext-9"):
 *     subprocess.run(["pdftotext-9", "paper.pdf"])
 * ```
 *
 * ## When it stays silent
 * With `shell=True`, with another `env`, `cwd` or `executable`, for programs named by a path, when the name is not known, and when
 * the cell may have installed something before.
 */
import { argument } from '../../reasoning/arguments.js';
import { type CheckContext, defineCheck } from '../define-check.js';

const starters = /^subprocess\.(run|Popen|call|check_call|check_output)$/;
const elsewhere = ['shell', 'env', 'cwd', 'executable', 'preexec_fn'];

export default defineCheck({
  id: 'calls/missing-executable',
  title: 'A program that is not installed',
  rung: 'contracts',
  libraries: [],
  on: {
    call(event, context) {
      if (event.target === null || !starters.test(event.target) || !event.args.complete) return;
      if (context.effects.files || context.effects.directory) return;
      if (elsewhere.some((name) => event.args.keywords.has(name)) || event.args.positional.length > 1) return;
      const given = argument(event, 0, 'args');
      const name = given && programOf(context, given.ref);
      if (name === undefined || !/^[\w.+-]+$/.test(name)) return;
      if (context.ask({ ask: 'executable', path: name })?.status !== 'no') return;
      context.report({
        exception: 'FileNotFoundError',
        message: `[Errno 2] No such file or directory: '${name}'`,
        evidence: [{ fact: `there is no program '${name}' on the search path`, source: 'kernel: PATH' }],
        explanation: `\`${context.text(event.node)}\` raises FileNotFoundError: the program '${name}' is not installed.`,
        remedy: `Install ${name}, or look for it with \`shutil.which("${name}")\` first.`,
      });
    },
  },
});

/** The program that a command line names: a list of words, or one word. */
function programOf(context: CheckContext, ref: number): string | undefined {
  const fact = context.look(ref);
  const first = fact.kind === 'list' || fact.kind === 'tuple' ? fact.items?.[0] : ref;
  const name = first === undefined ? undefined : context.literal(first);
  return typeof name === 'string' ? name : undefined;
}
