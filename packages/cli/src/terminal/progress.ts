// One line of progress on stderr while something long runs: redrawn on a terminal. In a pipe it is silent, or, for work of
// many minutes, a plain line now and then.
import { visible } from '@grus/core';
import type { Output } from './output.js';

export interface Progress {
  update(text: string): void;
  /** Removes the line until the next update: something else is printed. */
  hide(): void;
  /** Removes the line. */
  done(): void;
}

const silent: Progress = { update: () => {}, hide: () => {}, done: () => {} };
const logPause = 30_000;

let asking = 0;

/** Keeps the line away from the terminal while a person is asked something. */
export async function whileAsking<T>(ask: () => Promise<T>): Promise<T> {
  asking += 1;
  process.stderr.write('\r\u001b[K');
  try {
    return await ask();
  } finally {
    asking -= 1;
  }
}

export function startProgress(stream: Output = process.stderr): Progress {
  if (!stream.isTTY) return silent;
  const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
  const started = performance.now();
  let text = '';
  let frame = 0;
  const draw = () => {
    if (asking > 0 || text === '') return;
    const seconds = Math.floor((performance.now() - started) / 1000);
    const line = `${frames[frame++ % frames.length]} ${text}${seconds > 1 ? ` (${seconds} s)` : ''}`;
    stream.write(`\r\u001b[K${line.slice(0, (stream.columns ?? 80) - 1)}`);
  };
  const timer = setInterval(draw, 120);
  timer.unref();
  return {
    update(next) {
      text = visible(next).replace(/\s+/g, ' ');
      draw();
    },
    hide() {
      text = '';
      stream.write('\r\u001b[K');
    },
    done() {
      clearInterval(timer);
      stream.write('\r\u001b[K');
    },
  };
}

/** For work of many minutes: also tells in a log that it goes on. */
export function startLongProgress(stream: NodeJS.WriteStream = process.stderr): Progress {
  if (stream.isTTY) return startProgress(stream);
  let last = performance.now();
  return {
    ...silent,
    update(text) {
      if (performance.now() - last < logPause) return;
      last = performance.now();
      stream.write(`${visible(text)}\n`);
    },
  };
}
