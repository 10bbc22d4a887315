/**
 * # A file that is read and is not there
 *
 * ## What
 * The cell, or a function that it calls, hands a known file name to something that reads it (`open`, `pd.read_csv`,
 * `Image.open`, `np.load`, `torch.load`, `os.listdir`, `Path.read_text` …), and no such file exists; or to something that
 * writes it (`open` with a mode, `df.to_csv`, `torch.save`, `np.save`, `plt.savefig` …), and its folder does not exist.
 *
 * ## Why it crashes
 * Opening raises `FileNotFoundError`; a folder read as a file, or a file listed as a folder, raises its own error; pandas
 * and PyTorch have their own words for a folder that is missing.
 *
 * ## Example
 * ```python state
 * import pandas as pd
 * ```
 * ```python cell
 * df = pd.read_csv("train.csv")
 * ```
 *
 * ## Fix
 * Correct the path. The message says in which folder the kernel works, and lists names that look like yours.
 * ```python fixed
 * from pathlib import Path
 *
 * if Path("train.csv").exists():
 *     df = pd.read_csv("train.csv")
 * ```
 *
 * ## When it stays silent
 * When the name cannot be folded to a constant, is a URL or a pattern, when something earlier in the cell may create files or
 * change the directory, and when the exception is caught or the existence is tested.
 */
import { nearest } from '@grus/core';
import type { Call } from '../../reasoning/events.js';
import { type CheckContext, defineCheck } from '../define-check.js';
import { type FileAccess, fileAccess } from './file-access.js';

export default defineCheck({
  id: 'names/missing-file',
  title: 'A file that is read and is not there',
  rung: 'names',
  libraries: [],
  on: {
    call(event, context) {
      if (context.effects.files || context.effects.directory || context.effects.names) return;
      const access = fileAccess(event, context);
      const found = access && findFile(access.path, context);
      if (!access || !found) return;
      const exception = failure(access, found);
      if (exception) report(event, context, access, found, exception);
    },
  },
});

interface FoundFile {
  readonly status: 'file' | 'directory' | 'absent' | 'unknown';
  readonly parent?: string | undefined;
  readonly siblings: readonly string[];
}

function findFile(path: string, context: CheckContext): FoundFile | undefined {
  const known = context.snapshot.files[path];
  if (known) return { status: known.status, parent: known.parent, siblings: known.siblings ?? [] };
  const answer = context.ask({ ask: 'file', path });
  if (!answer) return undefined;
  const status =
    answer.status === 'no' ? 'absent' : answer.status === 'yes' ? (answer.is ?? 'unknown') : 'unknown';
  return { status, parent: answer.parent, siblings: answer.siblings ?? [] };
}

function failure(access: FileAccess, found: FoundFile): string | null {
  if (access.creates)
    return found.status === 'absent' && found.parent === 'absent'
      ? (access.withoutFolder?.exception ?? 'FileNotFoundError')
      : null;
  if (found.status === 'absent') return found.parent === 'file' ? 'NotADirectoryError' : 'FileNotFoundError';
  if (found.status === 'directory' && access.wants === 'file' && access.opens) return 'IsADirectoryError';
  if (found.status === 'file' && access.wants === 'directory') return 'NotADirectoryError';
  return null;
}

const numbers: Readonly<Record<string, string>> = {
  FileNotFoundError: '[Errno 2] No such file or directory',
  NotADirectoryError: '[Errno 20] Not a directory',
  IsADirectoryError: '[Errno 21] Is a directory',
};

/** Readers that say it in words of their own. */
const ownWords: Readonly<Record<string, (path: string) => string>> = {
  'numpy.loadtxt': (path) => `${path} not found.`,
  'numpy.genfromtxt': (path) => `${path} not found.`,
  'pandas.read_parquet': (path) => path,
};

function messageOf(
  event: Call,
  { path, withoutFolder }: FileAccess,
  exception: string,
  folder: string,
): string {
  const own = event.target !== null && Object.hasOwn(ownWords, event.target) ? ownWords[event.target] : null;
  if (own) return own(path);
  const number = numbers[exception];
  return number ? `${number}: '${path}'` : (withoutFolder?.message(folder.slice(0, -1)) ?? '…');
}

function report(
  event: Call,
  context: CheckContext,
  access: FileAccess,
  found: FoundFile,
  exception: string,
): void {
  const { path } = access;
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const near = nearest(path.slice(folder.length), found.siblings).map((name) => folder + name);
  const what =
    found.status === 'absent'
      ? 'does not exist'
      : found.status === 'directory'
        ? 'is a folder'
        : 'is no folder';
  const missingFolder = found.parent === 'absent' && folder !== '';
  context.report({
    exception,
    message: messageOf(event, access, exception, folder),
    evidence: [
      { fact: `'${path}' ${what}`, source: `kernel: files, seen from ${context.snapshot.cwd}` },
      ...(missingFolder ? [{ fact: `the folder '${folder}' does not exist`, source: 'kernel: files' }] : []),
    ],
    explanation: `\`${context.text(event.node)}\` raises ${exception}: '${missingFolder ? folder : path}' ${missingFolder ? 'does not exist' : what}.`,
    remedy:
      near.length > 0
        ? `Did you mean ${near.map((name) => `'${name}'`).join(' or ')}?`
        : access.creates
          ? `Create the folder '${folder}' first, for example with \`os.makedirs\`.`
          : `Correct the path; the kernel works in ${context.snapshot.cwd}.`,
  });
}
