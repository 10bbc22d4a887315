// How a process ended, and how systems name what ended it: by number, by status, by the words of a shell.
import type { ExitReason, ExitSource } from '../../../record/exit.js';

export interface Ending {
  readonly source: ExitSource;
  readonly reason: ExitReason;
  readonly code?: number | null;
  readonly signal?: string | null;
  readonly rank?: number | null;
  readonly passing?: true;
  readonly isFirst?: true;
  readonly spoken?: true;
}

export const signalNames: Readonly<Record<number, string>> = {
  1: 'SIGHUP',
  2: 'SIGINT',
  3: 'SIGQUIT',
  4: 'SIGILL',
  6: 'SIGABRT',
  7: 'SIGBUS',
  8: 'SIGFPE',
  9: 'SIGKILL',
  10: 'SIGUSR1',
  11: 'SIGSEGV',
  12: 'SIGUSR2',
  13: 'SIGPIPE',
  14: 'SIGALRM',
  15: 'SIGTERM',
  24: 'SIGXCPU',
  25: 'SIGXFSZ',
};

/** How Windows calls the same: the status a process ends with. */
const windowsSignals: Readonly<Record<number, string>> = {
  3221225477: 'SIGSEGV',
  3221225501: 'SIGILL',
  3221225620: 'SIGFPE',
  3221225725: 'SIGSEGV',
  3221226356: 'SIGABRT',
  3221226505: 'SIGABRT',
  3221225786: 'SIGINT',
};

/** Codes above 128 and below 0 are signals. */
export function endingOfCode(source: ExitSource, code: number, rank: number | null = null): Ending {
  const number = code < 0 ? -code : code > 128 && code <= 128 + 64 ? code - 128 : 0;
  const signal =
    windowsSignals[code >>> 0] ?? (number > 0 ? (signalNames[number] ?? `signal ${number}`) : null);
  return {
    source,
    reason: signal !== null ? 'signal' : code === 0 ? 'completed' : 'failed',
    code,
    signal,
    rank,
  };
}

const shellWords: Readonly<Record<string, string>> = {
  killed: 'SIGKILL',
  已杀死: 'SIGKILL',
  terminated: 'SIGTERM',
  aborted: 'SIGABRT',
  'segmentation fault': 'SIGSEGV',
  'bus error': 'SIGBUS',
  'illegal instruction': 'SIGILL',
  'floating point exception': 'SIGFPE',
  abort: 'SIGABRT',
  'illegal hardware instruction': 'SIGILL',
};

/** `Killed`, `Segmentation fault`. */
export function endingOfWord(source: ExitSource, word: string): Ending {
  return { source, reason: 'signal', signal: shellWords[word.toLowerCase()] ?? null };
}
