// The way to the rungs that need the server: the dry run and the model. Everything works without it but these two.
import { GrusError } from '@grus/core';
import { ServerConnection } from '@jupyterlab/services';
import type { LadderReply, LadderRequest, RehearsalReply, RehearsalRequest } from '../ladder/request.js';

/** What a kernel on the server's machine needs to have its cells judged beside it. */
export interface GuardFiles {
  readonly attach: string;
  readonly node: string;
  readonly version: string;
}

export interface ServerStatus {
  readonly available: boolean;
  /** Why the server cannot climb on; empty when it can. */
  readonly missing: string;
  /** Null where cells cannot be judged beside the kernel. */
  readonly guard: GuardFiles | null;
}

export class ServerPart {
  readonly #settings = ServerConnection.makeSettings();
  #status: Promise<ServerStatus> | undefined;
  /** The status once it is known; null when the server has no part of ours. */
  known: ServerStatus | null | undefined;

  /** Asked once; a server without our part answers 404. */
  status(): Promise<ServerStatus> {
    this.#status ??= this.#askStatus();
    return this.#status;
  }

  async climb(request: LadderRequest, signal?: AbortSignal): Promise<LadderReply> {
    const response = await this.#ask(request, signal);
    return (await response.json()) as LadderReply;
  }

  /** All cells of a notebook; `hear` is told how many are settled. */
  async rehearse(
    request: RehearsalRequest,
    signal: AbortSignal,
    hear: (settled: number) => void,
  ): Promise<Exclude<RehearsalReply, { kind: 'progress' }>> {
    const response = await this.#ask(request, signal);
    for await (const reply of lines(response)) {
      if (reply.kind !== 'progress') return reply;
      hear(reply.settled);
    }
    throw new GrusError('the server ended the rehearsal', { advice: 'See its log.' });
  }

  async #ask(request: LadderRequest | RehearsalRequest, signal?: AbortSignal): Promise<Response> {
    const { available, missing } = await this.status();
    if (!available) throw new GrusError(missing, { advice: 'The first two rungs work without it.' });
    const response = await this.#fetch('ladder', {
      method: 'POST',
      body: JSON.stringify(request),
      ...(signal ? { signal } : {}),
    });
    if (response.ok) return response;
    const { message = response.statusText } = (await response.json()) as { message?: string };
    throw new GrusError(message, { advice: 'See the log of the server.' });
  }

  async #askStatus(): Promise<ServerStatus> {
    try {
      const response = await this.#fetch('status', {});
      if (response.ok) {
        this.known = (await response.json()) as ServerStatus;
        return this.known;
      }
      this.known = null;
      const missing = "the server's part of Grus is not installed or not enabled";
      return { available: false, missing, guard: null };
    } catch (error) {
      this.#status = undefined;
      return { available: false, missing: `the server cannot be reached: ${String(error)}`, guard: null };
    }
  }

  #fetch(path: string, init: RequestInit): Promise<Response> {
    return ServerConnection.makeRequest(`${this.#settings.baseUrl}grus/${path}`, init, this.#settings);
  }
}

async function* lines(response: Response): AsyncGenerator<RehearsalReply> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    const whole = (text + piece.value).split('\n');
    text = whole.pop() ?? '';
    for (const line of whole) yield JSON.parse(line) as RehearsalReply;
  }
}
