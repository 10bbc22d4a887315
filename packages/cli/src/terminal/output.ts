// Where answers go: JSON to stdout alone, everything else to stderr or, for people, to stdout as text.
import { GrusError, visible, visibleJson } from '@grus/core';

/** Exit codes of the command line, which others script against. */
export const exitCodes = { nothingBad: 0, crash: 1, couldNotWork: 2, interrupted: 130 } as const;

export function printJson(value: unknown): void {
  process.stdout.write(`${visibleJson(JSON.stringify(value, null, 2))}\n`);
}

/** One line that says why Grus could not do its work, and what to do. */
export function printError(error: unknown): void {
  if (GrusError.isInstance(error)) {
    process.stderr.write(`grus: ${oneLine(error.message)}. ${oneLine(error.advice)}\n`);
    return;
  }
  const text = error instanceof Error ? error.message : String(error);
  process.stderr.write(
    `grus: unexpected failure: ${oneLine(text)}. Set GRUS_DEBUG=1 to see where, and report it.\n`,
  );
  if (process.env['GRUS_DEBUG'] && error instanceof Error)
    process.stderr.write(`${visible(String(error.stack))}\n`);
}

/** `grus checks | head` closes the pipe early: whoever reads has enough, and that is no failure. */
export function endQuietlyWhenUnread(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      process.exit(process.exitCode ?? exitCodes.nothingBad);
    });
}

function oneLine(text: string): string {
  return visible(text.replace(/\s+/g, ' ')).replace(/\.$/, '');
}
