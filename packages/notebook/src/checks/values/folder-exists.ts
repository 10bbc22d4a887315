/**
 * # A folder that is there already
 *
 * ## What
 * `os.mkdir`, or `os.makedirs` or `Path.mkdir` without `exist_ok=True`, of a folder that exists.
 *
 * ## Why it crashes
 * Python raises `FileExistsError`. A cell that makes a folder works once, and fails when it is run again.
 *
 * ## Example
 * ```python state
 * import os
 *
 * os.mkdir("checkpoints")
 * ```
 * ```python cell
 * os.mkdir("checkpoints")
 * ```
 *
 * ## Fix
 * `os.makedirs(path, exist_ok=True)`.
 * ```python fixed
 * os.makedirs("checkpoints", exist_ok=True)
 * ```
 *
 * ## When it stays silent
 * When the name is not known, and once the cell may have changed files or the current folder.
 */
import type { Call, Operand } from '../../reasoning/events.js';
import { type CheckContext, defineCheck } from '../define-check.js';

export default defineCheck({
  id: 'values/folder-exists',
  title: 'A folder that is there already',
  rung: 'contracts',
  libraries: [],
  on: {
    call(event, context) {
      const path = madeFolder(event, context);
      if (path === undefined || context.effects.files || context.effects.directory) return;
      const answer = context.ask({ ask: 'file', path });
      if (answer?.status !== 'yes') return;
      context.report({
        exception: 'FileExistsError',
        message: `[Errno 17] File exists: '${path}'`,
        evidence: [{ fact: `'${path}' exists`, source: `kernel: files, seen from ${context.snapshot.cwd}` }],
        explanation: `\`${context.text(event.node)}\` raises FileExistsError: '${path}' is there already.`,
        remedy: 'Use `os.makedirs(…, exist_ok=True)`, or another name.',
      });
    },
  },
});

/** The folder that a call makes and that must not exist before; undefined for all else. */
function madeFolder({ target, args, receiver, method }: Call, context: CheckContext): string | undefined {
  if (!args.complete || args.keywords.has('exist_ok') || args.keywords.has('dir_fd')) return undefined;
  if (receiver && method === 'mkdir' && args.positional.length === 0) return pathOf(receiver, context);
  if (!/^(os|posix)\.(mkdir|makedirs)$/.test(target ?? '') || args.positional.length !== 1) return undefined;
  const [given] = args.positional;
  const name = context.literal(given!.ref);
  return typeof name === 'string' && name !== '' && !name.includes('\0') ? name : pathOf(given!, context);
}

function pathOf({ fact }: Operand, context: CheckContext): string | undefined {
  if (!/^pathlib\.(_local\.)?PosixPath$/.test(fact.class ?? '')) return undefined;
  const text = fact.attributes?.get('_str') ?? fact.attributes?.get('_raw_path');
  const name = text === undefined ? undefined : context.literal(text);
  return typeof name === 'string' ? name : undefined;
}
