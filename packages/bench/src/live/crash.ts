// What a crash looks like from outside the kernel: exception, message and lines, read from the error reply alone so that
// nothing has to be executed in the kernel to learn them.
import { stripVTControlCharacters } from 'node:util';
import type { ExecuteResult } from '@grus/kernel';

export interface Crash {
  readonly exception: string;
  readonly message: string;
  /** Deepest and outermost line of the executed cell in the traceback; null when the cell is not in it. */
  readonly line: number | null;
  readonly callLine: number | null;
}

export function crashOf(result: ExecuteResult): Crash | null {
  if (result.error === null) return null;
  const lines = cellLines(result.error.traceback.join('\n'), result.executionCount);
  return {
    exception: result.error.ename,
    message: portableMessage(result.error.evalue),
    line: lines.at(-1) ?? null,
    callLine: lines[0] ?? null,
  };
}

/** Messages name the installation they were raised in and may be coloured; neither belongs to the crash. */
export function portableMessage(message: string): string {
  return stripVTControlCharacters(message).replace(/[^\s'"(]*\/site-packages(?=\/)/g, '<site-packages>');
}

function cellLines(traceback: string, executionCount: number | null): number[] {
  const frames = stripVTControlCharacters(traceback).matchAll(/Cell\s+In\[(\d+)\],\s+line\s+(\d+)/g);
  return [...frames].filter(([, cell]) => Number(cell) === executionCount).map(([, , line]) => Number(line));
}
