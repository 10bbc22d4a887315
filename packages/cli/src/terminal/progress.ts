// One line of progress on stderr while something long runs: redrawn on a terminal, silent in a pipe.

export interface Progress {
  update(text: string): void;
  /** Removes the line. */
  done(): void;
}

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

export function startProgress(stream: NodeJS.WriteStream = process.stderr): Progress {
  if (!stream.isTTY) return { update: () => {}, done: () => {} };
  const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
  const started = performance.now();
  let text = '';
  let frame = 0;
  const draw = () => {
    if (asking > 0) return;
    const seconds = Math.floor((performance.now() - started) / 1000);
    const line = `${frames[frame++ % frames.length]} ${text}${seconds > 1 ? ` (${seconds} s)` : ''}`;
    stream.write(`\r\u001b[K${line.slice(0, (stream.columns ?? 80) - 1)}`);
  };
  const timer = setInterval(draw, 120);
  timer.unref();
  return {
    update(next) {
      text = next;
      draw();
    },
    done() {
      clearInterval(timer);
      stream.write('\r\u001b[K');
    },
  };
}
