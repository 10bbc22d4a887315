// Sends a run to a server while it is watched. The run and the watch come first: what the server does not take now is sent with the next
// update, and that it is away is told once.
import { setTimeout as sleep } from 'node:timers/promises';
import { visible } from '@grus/core';
import { type PushedFiles, pushRun, request, type ServerAddress } from '@grus/server/client';
import { findRuns, type RunWarning } from '@grus/training';
import { runHere } from './push.js';

export interface Sender {
  warn(warning: RunWarning): void;
  /** Sends the last state; bounded, whatever the server does. */
  end(): Promise<void>;
}

interface SendOptions {
  readonly address: ServerAddress;
  readonly name?: string;
  /** Milliseconds between updates. */
  readonly every?: number;
}

/** Sending takes at most this share of the time: a large run is sent more rarely. */
const sendingShare = 0.1;
const lastSendMs = 60_000;
const bytesOfText = 500;

export function startSending(path: string, { address, name, every = 10_000 }: SendOptions): Sender {
  const over = new AbortController();
  const run = runHere(path, name);
  let before: PushedFiles = new Map();
  let waiting: RunWarning[] = [];
  let isAway = false;

  const send = async (running: boolean, signal: AbortSignal): Promise<void> => {
    const to = { ...address, signal };
    const { files } = (await findRuns(path)).whole;
    if (files.length === 0) return;
    const pushed = await pushRun(to, { ...run, files, running }, before);
    before = new Map(pushed.files.map((file) => [file.path, file]));
    const warnings = waiting.map(shortened);
    if (warnings.length > 0)
      await request(to, `/projects/${encodeURIComponent(address.project)}/runs/${pushed.id}/warnings`, {
        method: 'POST',
        json: { warnings },
      });
    waiting = waiting.slice(warnings.length);
  };
  const loop = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const started = performance.now();
      const trouble = await send(true, over.signal).then(
        () => null,
        (error: unknown) => error,
      );
      if (trouble !== null && !isAway && !over.signal.aborted)
        process.stderr.write(
          `grus: ${textOf(trouble)}. The run goes on, and is sent when the server is back.\n`,
        );
      isAway = trouble !== null;
      const pause = Math.max(every, (performance.now() - started) / sendingShare);
      await sleep(pause, undefined, { signal: over.signal }).catch(() => undefined);
    }
  };
  const sending = loop();
  return {
    warn: (warning) => void waiting.push(warning),
    end: async () => {
      over.abort();
      await sending;
      await send(false, AbortSignal.timeout(lastSendMs)).catch((error: unknown) =>
        process.stderr.write(
          `grus: ${textOf(error)}. Send the run later: grus push ${visible(path)} --name ${visible(run.name)}\n`,
        ),
      );
    },
  };
}

/** What the server keeps of a warning, each text in one line. */
function shortened({ warning, title, expected_failure, subcause, step, time }: RunWarning) {
  const line = (text: string): string => visible(text.replaceAll(/\s+/g, ' ')).slice(0, bytesOfText);
  return { warning, title: line(title), expected_failure: line(expected_failure), subcause, step, time };
}

function textOf(error: unknown): string {
  return visible(error instanceof Error ? error.message : String(error));
}
