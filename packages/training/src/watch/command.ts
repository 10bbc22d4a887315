// Starts the training command under watch. Its output passes through unchanged: on a terminal it gets a terminal of its
// own, elsewhere pipes; its input is ours. What it prints is kept in the run's directory.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { constants, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { constants as system, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { GrusError } from '@grus/core';
import { ConsoleFile } from './console-file.js';

export interface CommandEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface RunningCommand {
  readonly ended: Promise<CommandEnd>;
  /** Of the process that was started; its ranks are below it. */
  readonly pid: number | undefined;
  /** Whether lines on the terminal must end in a carriage return and a newline while the command runs. */
  readonly rawTerminal: boolean;
  kill(signal: NodeJS.Signals): void;
}

export interface CommandOptions {
  readonly argv: readonly string[];
  /** Where to keep the console. */
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** Where the command's own standard output goes: stderr when stdout is kept for an answer. */
  readonly stdout: NodeJS.WriteStream;
}

/** Waited for the pipes of a command that has ended: something it started may hold them open. */
const drainMs = 2000;
/** Waited for the last bytes of the terminal's copy. */
const lastWordsMs = 100;

export async function startCommand(options: CommandOptions): Promise<RunningCommand> {
  const onTerminal = process.stdin.isTTY && options.stdout.isTTY && process.stderr.isTTY;
  return onTerminal && options.stdout === process.stdout && hasScript()
    ? startOnTerminal(options)
    : startOnPipes(options);
}

/** The command `script` of util-linux: a terminal for the command, and a copy of everything shown on it. */
function hasScript(): boolean {
  if (process.platform !== 'linux') return false;
  const answer = spawnSync('script', ['--version'], { encoding: 'utf8' });
  return answer.status === 0 && answer.stdout.includes('util-linux');
}

async function startOnTerminal(options: CommandOptions): Promise<RunningCommand> {
  const { argv, folder, env } = options;
  const pipe = makePipe();
  if (pipe === null) return startOnPipes(options);
  const file = await ConsoleFile.create(folder);
  pipe.stream.on('data', (chunk: Buffer) => file.write('stdout', withoutFrame(chunk)));
  const line = `exec ${argv.map(quote).join(' ')}`;
  const child = spawn('script', ['-q', '-e', '-f', '-c', line, pipe.path], { stdio: 'inherit', env });
  const ended = endOf(child, argv).then(async ({ code, signal }) => {
    await sleep(lastWordsMs);
    pipe.close();
    await file.close();
    return code !== null && code > 128 ? { code, signal: signalOf(code - 128) } : { code, signal };
  });
  return {
    ended,
    pid: child.pid,
    rawTerminal: true,
    kill: (signal) => {
      for (const pid of childrenOf(child.pid)) trySignal(-pid, signal) || trySignal(pid, signal);
    },
  };
}

/** A named pipe that `script` copies the terminal into, so that the copy can be bounded. */
function makePipe(): { path: string; stream: Socket; close(): void } | null {
  const scratch = mkdtempSync(join(tmpdir(), 'grus-console-'));
  const path = join(scratch, 'pipe');
  const remove = (): void => rmSync(scratch, { recursive: true, force: true });
  if (spawnSync('mkfifo', [path]).status !== 0) {
    remove();
    return null;
  }
  // Open for both ends: neither opening nor reading waits for a writer.
  const stream = new Socket({
    fd: openSync(path, constants.O_RDWR | constants.O_NONBLOCK),
    readable: true,
    writable: false,
  });
  const close = (): void => {
    stream.destroy();
    remove();
  };
  return { path, stream, close };
}

/** `script` puts a line of its own before and after what it copies. */
function withoutFrame(chunk: Buffer): Buffer {
  const text = chunk.toString('latin1');
  if (!text.includes('Script ')) return chunk;
  const inner = text
    .replace(/^Script started on [^\n]*\[COMMAND=[^\n]*\n/, '')
    .replace(/\r?\n?Script done on [^\n]*\[COMMAND_EXIT_CODE="\d+"\]\r?\n$/, '');
  return Buffer.from(inner, 'latin1');
}

async function startOnPipes({ argv, folder, env, stdout }: CommandOptions): Promise<RunningCommand> {
  const file = await ConsoleFile.create(folder);
  // Python holds back what it prints into a pipe; the bytes stay the same without that.
  const child = spawn(argv[0]!, argv.slice(1), {
    stdio: ['inherit', 'pipe', 'pipe'],
    env: { PYTHONUNBUFFERED: '1', ...env },
  });
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  pass(child.stdout!, stdout, (chunk) => file.write('stdout', chunk));
  pass(child.stderr!, process.stderr, (chunk) => file.write('stderr', chunk));
  const ended = endOf(child, argv).then(async (end) => {
    await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, drainMs).unref())]);
    await file.close();
    return end;
  });
  return { ended, pid: child.pid, rawTerminal: false, kill: (signal) => void child.kill(signal) };
}

/** Slows the command down to what our reader takes, as a pipe between them would; goes on when the reader left. */
function pass(from: NodeJS.ReadableStream, to: NodeJS.WriteStream, keep: (chunk: Buffer) => void): void {
  let open = true;
  to.once('error', () => {
    open = false;
    from.resume();
  });
  from.on('data', (chunk: Buffer) => {
    keep(chunk);
    if (!open || to.write(chunk)) return;
    from.pause();
    to.once('drain', () => from.resume());
  });
}

function endOf(child: ChildProcess, argv: readonly string[]): Promise<CommandEnd> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    child.once('error', (cause: NodeJS.ErrnoException) => {
      const why = cause.code === 'ENOENT' ? 'there is no such program' : cause.message;
      reject(
        new GrusError(`${argv[0]} cannot be started: ${why}`, {
          advice: 'Check the command after "--".',
          cause,
        }),
      );
    });
  });
}

function childrenOf(pid: number | undefined): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

function trySignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

function signalOf(number: number): NodeJS.Signals | null {
  const found = Object.entries(system.signals).find(([, value]) => value === number);
  return found ? (found[0] as NodeJS.Signals) : null;
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
