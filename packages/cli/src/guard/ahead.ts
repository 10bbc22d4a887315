// Copies that run ahead of their cells. The kernel forks them when the cell starts; what one of them tells comes here over a
// socket of its own, because the kernel is busy with the cell, and what it means goes back the same way.
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { aheadRequest, type CheckTarget, concludeAhead } from '@grus/notebook';
import { z } from 'zod';
import { isCertain } from './judge.js';

const telling = z.object({ run: z.number(), content: z.unknown() });

/** What the kernel is to ask of a copy of itself. */
export interface Errand {
  readonly run: number;
  readonly request: object;
}

export class RunningAhead {
  readonly #socket: Socket;
  #runs = 0;
  /** One cell runs at a time. */
  #running: { readonly run: number; readonly target: CheckTarget } | null = null;

  constructor(
    descriptor: number,
    private readonly silenced: () => readonly string[],
  ) {
    this.#socket = new Socket({ fd: descriptor, readable: true, writable: true });
    this.#socket.on('error', () => undefined);
    createInterface({ input: this.#socket }).on('line', (line) => void this.#hear(line));
  }

  /** Null for a cell that does not look long. */
  errand(target: CheckTarget): Errand | null {
    const request = aheadRequest(target);
    if (request === null) return null;
    this.#runs += 1;
    this.#running = { run: this.#runs, target };
    return { run: this.#runs, request };
  }

  async #hear(line: string): Promise<void> {
    const told = telling.safeParse(parsed(line));
    const running = this.#running;
    if (!told.success || running?.run !== told.data.run) return;
    const foreseen = await concludeAhead(told.data.content, running.target, this.silenced());
    // Nothing that would not have held the cell may disturb it.
    if (foreseen === null || !isCertain(foreseen.verdict)) return;
    this.#socket.write(`${JSON.stringify({ run: running.run, ...foreseen })}\n`);
  }
}

/** Two copies may have told at the same time, when one of them was about to end. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
