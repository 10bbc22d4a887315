// Where answers go: JSON to stdout alone, everything else to stderr or, for people, to stdout as text.
import { fstatSync, statSync, writeSync } from 'node:fs';
import { devNull } from 'node:os';
import { GrusError, visible, visibleJson } from '@grus/core';

/** Exit codes of the command line, which others script against. */
export const exitCodes = { nothingBad: 0, crash: 1, couldNotWork: 2, interrupted: 130 } as const;

/** As much of a stream as an answer needs. */
export interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** Where a whole answer goes in one piece. Node's streams take longer to load than a small log to read: only terminals get them. */
export function outputTo(name: 'stdout' | 'stderr'): Output {
  const descriptor = name === 'stdout' ? 1 : 2;
  return isPlain(descriptor)
    ? { write: (text) => writeAtOnce(descriptor, name, Buffer.from(text)) }
    : process[name];
}

/** FORCE_COLOR overrides the absence of a terminal, NO_COLOR overrides everything. */
export function hasColors(stream: Output, env: NodeJS.ProcessEnv = process.env): boolean {
  const forced = env['FORCE_COLOR'] !== undefined && env['FORCE_COLOR'] !== '0';
  return !env['NO_COLOR'] && env['TERM'] !== 'dumb' && (forced || stream.isTTY === true);
}

export function widthOf(stream: Output): number {
  return Math.max(30, Math.min(stream.columns ?? 100, 120));
}

/** A file, a pipe, or nothing. */
function isPlain(descriptor: number): boolean {
  try {
    const told = fstatSync(descriptor);
    return !told.isCharacterDevice() || told.rdev === statSync(devNull).rdev;
  } catch {
    return false;
  }
}

function writeAtOnce(descriptor: number, name: 'stdout' | 'stderr', bytes: Buffer): void {
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(descriptor, bytes, written);
  } catch {
    // A pipe that is full or closed: the stream knows what to do.
    process[name].write(bytes.subarray(written));
  }
}

export function printJson(value: unknown, output: Output = process.stdout): void {
  output.write(`${visibleJson(JSON.stringify(value, null, 2))}\n`);
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
  for (const name of ['stdout', 'stderr'] as const) {
    const made = Object.getOwnPropertyDescriptor(process, name)?.get;
    if (made === undefined) watched(process[name]);
    else
      Object.defineProperty(process, name, {
        configurable: true,
        get: once(() => watched(made.call(process))),
      });
  }
}

/** Ends a command that has nothing more to do: where nothing waits in a stream, what Node would still tidy up only takes time. */
export function endNow(exitCode: number): void {
  process.exitCode = exitCode;
  if (!usesStreams) process.exit();
}

let usesStreams = false;

function watched(stream: NodeJS.WriteStream): NodeJS.WriteStream {
  usesStreams = true;
  return stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(process.exitCode ?? exitCodes.nothingBad);
  });
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function oneLine(text: string): string {
  return visible(text.replace(/\s+/g, ' ')).replace(/\.$/, '');
}
