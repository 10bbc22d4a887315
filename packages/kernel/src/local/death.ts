// Says in one line how the process of a kernel ended, and what can be done about it.
import type { GrusError } from '@grus/core';
import { KernelDiedError, KernelUnavailableError } from '../errors.js';
import type { Launch } from './launch.js';
import type { ProcessEnd } from './process.js';

/** Written by Python when a port was taken between our choosing it and the kernel's binding it. */
export function portWasTaken(lines: readonly string[]): boolean {
  return lines.some((line) => /Address already in use|EADDRINUSE/i.test(line));
}

export function diedAtStart(
  label: string,
  launch: Launch,
  end: ProcessEnd,
  lines: readonly string[],
): GrusError {
  if (end.spawnError !== undefined) {
    return new KernelUnavailableError(`Cannot start ${launch.program}: ${spawnReason(end.spawnError)}`, {
      advice:
        'Give the path of a Python interpreter that exists and is executable, and a working folder that exists.',
      cause: end.spawnError,
    });
  }
  if (lines.some((line) => /No module named ['"]?ipykernel/.test(line))) {
    return new KernelUnavailableError(`${launch.program} has no ipykernel, so it cannot run a kernel`, {
      advice: `Install it: ${launch.program} -m pip install ipykernel`,
    });
  }
  const last = lines.slice(-3).join(' | ');
  return new KernelUnavailableError(
    `${label} died while starting (${describe(end)})${last === '' ? '' : `: ${last}`}`,
    {
      advice: `Run \`${launch.program} -m ipykernel_launcher\` by hand to see the whole message.`,
      cause: lines.join('\n'),
    },
  );
}

export function deathOf(
  label: string,
  _launch: Launch,
  end: ProcessEnd,
  lines: readonly string[],
): GrusError {
  const killed = end.signal === 'SIGKILL';
  return new KernelDiedError(`${label} died (${describe(end)})`, {
    advice: killed
      ? 'It was killed from outside, most often because memory ran out: use less data or a larger machine.'
      : 'Look at the cell that was running: it ended the process, or a native library crashed in it.',
    cause: lines.join('\n'),
  });
}

function describe(end: ProcessEnd): string {
  return end.signal === null ? `exit code ${end.code}` : `signal ${end.signal}`;
}

function spawnReason(error: NodeJS.ErrnoException): string {
  switch (error.code) {
    case 'ENOENT':
      return 'no such program or working folder';
    case 'EACCES':
      return 'it is not executable';
    default:
      return error.message;
  }
}
