// The work of `grus watch`.
import { spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { constants as system } from 'node:os';
import { join } from 'node:path';
import { GrusError, visible } from '@grus/core';
import {
  categories,
  causes,
  noteStart,
  precursors,
  type RunningCommand,
  type RunWarning,
  renderReport,
  renderWarning,
  startCommand,
  type WatchedRun,
  watchRun,
} from '@grus/training';
import { addressOf, type ServerOptions } from '../options/server.js';
import { exitCodes, hasColors, printJson, widthOf } from '../terminal/output.js';
import { startSending } from './send-run.js';

export interface WatchFlags extends ServerOptions {
  readonly name?: string;
  readonly every?: number;
  readonly stopOn?: string;
  readonly notify?: string;
  readonly idle?: number;
  readonly keepExitCode?: boolean;
  readonly json?: boolean;
}

interface Operands {
  readonly paths: readonly string[];
  readonly argv: readonly string[];
}

const forwarded = ['SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const;
const notifyMs = 30_000;

export async function watch({ paths, argv }: Operands, flags: WatchFlags): Promise<number> {
  const stopOn = parseReasons(flags.stopOn);
  const address = flags.server === undefined ? null : addressOf(flags);
  const path = await directoryFor(paths, argv, stopOn.length > 0);
  if (argv.length > 0) await noteStart(path, argv);
  const command = argv.length > 0 ? await start(path, argv, flags) : undefined;
  const stop = new AbortController();
  const restore = command ? forwardSignals(command) : interruptible(stop);
  if (!command) process.stderr.write(`grus: following ${visible(path)}, Ctrl-C to stop\n`);
  const sender = address === null ? null : startSending(path, { ...flags, address });
  try {
    const run = await watchRun({
      path,
      stopOn,
      signal: stop.signal,
      ...(command ? { command } : {}),
      ...(flags.idle === undefined ? {} : { idleMs: flags.idle }),
      onWarning: (warning) => {
        say(renderWarning(warning), command);
        if (flags.notify !== undefined) notify(flags.notify, warning);
        sender?.warn(warning);
      },
    });
    return answer(path, argv, run, flags);
  } finally {
    restore();
    await sender?.end();
  }
}

function parseReasons(text: string | undefined): string[] {
  const reasons = (text ?? '')
    .split(',')
    .map((reason) => reason.trim())
    .filter(Boolean);
  const known = new Set<string>([
    'any',
    ...precursors.map(({ id }) => id),
    ...Object.keys(causes),
    ...categories,
  ]);
  for (const reason of reasons) {
    if (known.has(reason)) continue;
    throw new GrusError(`--stop-on ${reason} is no warning, sub-cause or category`, {
      advice: `Warnings are ${precursors.map(({ id }) => id).join(', ')}; "any" stands for all.`,
    });
  }
  return reasons;
}

async function directoryFor(
  paths: readonly string[],
  argv: readonly string[],
  stops: boolean,
): Promise<string> {
  const [path, ...rest] = paths;
  if (rest.length > 0)
    throw new GrusError('More than one directory was given', {
      advice: 'Give one, and put -- before a command: grus watch DIR -- python train.py',
    });
  if (argv.length > 0) return path ?? join('grus-runs', stamp());
  if (path === undefined)
    throw new GrusError('There is nothing to watch', {
      advice: 'Give a run directory, or a command after --: grus watch -- python train.py',
    });
  if (stops)
    throw new GrusError('--stop-on works only for a command that Grus started', {
      advice: 'Start it with: grus watch --stop-on … DIR -- python train.py',
    });
  await stat(path).catch((cause: unknown) => {
    throw new GrusError(`${path} cannot be read`, {
      advice: 'Give a run directory or a log file that exists, or a command after --.',
      cause,
    });
  });
  return path;
}

function stamp(): string {
  return new Date().toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
}

function start(path: string, argv: readonly string[], flags: WatchFlags): Promise<RunningCommand> {
  return startCommand({
    argv,
    folder: path,
    env: {
      ...process.env,
      GRUS_RUN_DIR: process.env['GRUS_RUN_DIR'] ?? path,
      // It is sent from here: the hooks leave that alone.
      ...(flags.server === undefined ? {} : { GRUS_SEND: '0' }),
    },
    stdout: flags.json ? process.stderr : process.stdout,
  });
}

/** Ctrl-C reaches the command by itself through the terminal; sent to Grus alone, it is handed on. */
function forwardSignals(command: RunningCommand): () => void {
  let interrupts = 0;
  const onInterrupt = (): void => {
    interrupts++;
    if (!process.stdin.isTTY || interrupts > 1) command.kill('SIGINT');
  };
  process.on('SIGINT', onInterrupt);
  for (const signal of forwarded) process.on(signal, command.kill);
  return () => {
    process.off('SIGINT', onInterrupt);
    for (const signal of forwarded) process.off(signal, command.kill);
  };
}

function interruptible(stop: AbortController): () => void {
  const onSignal = (): void => stop.abort();
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  return () => void process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
}

function say(text: string, command: RunningCommand | undefined): void {
  const lines = command?.rawTerminal ? `\r\n${text.replaceAll('\n', '\r\n')}\r\n` : `${text}\n`;
  process.stderr.write(lines);
}

/** What it prints goes to stderr; that it fails is told, and changes nothing else. */
function notify(line: string, warning: RunWarning): void {
  const child = spawn(line, {
    shell: true,
    stdio: ['pipe', process.stderr, process.stderr],
    env: { ...process.env, GRUS_WARNING: warning.warning, GRUS_STEP: String(warning.step ?? '') },
    timeout: notifyMs,
  });
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(`${JSON.stringify(warning)}\n`);
  child.on('error', (error) =>
    process.stderr.write(`grus: --notify could not be run: ${visible(error.message)}\n`),
  );
  child.on('exit', (code) => {
    if (code !== 0) process.stderr.write(`grus: --notify ended with ${code ?? 'a time-out'}\n`);
  });
}

/** The run did not end by itself: whoever reads the report must know that first. */
function stopLine(warning: RunWarning, stopOn = ''): string {
  const where = warning.step === null ? '' : ` at step ${warning.step}`;
  return `grus: Grus stopped the run${where}, as --stop-on ${stopOn} asks: ${warning.title}.`;
}

function answer(path: string, argv: readonly string[], run: WatchedRun, flags: WatchFlags): number {
  const { diagnosis, record, warnings, end, stoppedOn } = run;
  if (diagnosis === null || record === null)
    throw new GrusError(`${path} holds no training artefacts that Grus reads`, {
      advice: 'Give the directory a training run writes its logs, metrics or event files into.',
    });
  const stop = { stopped_on: stoppedOn?.warning ?? null, stopped_because: stoppedOn?.title ?? null };
  const command = end === null ? null : { argv, ...end, ...stop };
  if (stoppedOn !== null) process.stderr.write(`${stopLine(stoppedOn, flags.stopOn)}\n`);
  if (flags.json) printJson({ ...diagnosis, warnings, command });
  else {
    const options = { width: widthOf(process.stderr), color: hasColors(process.stderr) };
    process.stderr.write(`\n${renderReport(diagnosis, record, options)}\n`);
  }
  const commandFailed = end !== null && (end.signal !== null || end.code !== 0);
  if (flags.keepExitCode && end !== null) return end.code ?? 128 + system.signals[end.signal!];
  const bad = diagnosis.outcome === 'failed' || diagnosis.outcome === 'degraded';
  return bad || commandFailed ? exitCodes.crash : exitCodes.nothingBad;
}
