// The kernel that started this process, reached over its pipe: it answers in place, between two of its cells, so there is
// nothing to start, install or interrupt.

import type { Content, ExecuteResult, Kernel, Reply } from '@grus/kernel';
import { UnknownRequestError } from '@grus/kernel';

/** Sends one request of the agent's protocol and resolves with the reply. */
export type AskKernel = (kind: string, content: Content) => Promise<Content>;

export class PipeKernel implements Kernel {
  readonly label = 'this kernel';
  readonly owned = false;
  readonly info = { language: 'python', subshells: false };
  readonly connectionFile = null;
  readonly pid = null;
  readonly status = 'idle';
  readonly ended = new Promise<Error | null>(() => undefined);

  constructor(private readonly ask: AskKernel) {}

  /** The only code that a check would send is the agent, and the guard has loaded it already. */
  execute(): Promise<ExecuteResult> {
    const nothing = { executionCount: null, outputs: [], error: null, userExpressions: {} };
    return Promise.resolve({ status: 'ok', ...nothing, recovered: true, ms: 0 });
  }

  async request(messageType: string, content: Content): Promise<Reply> {
    const started = performance.now();
    const reply = await this.ask(messageType, content);
    if (reply['status'] === undefined) throw new UnknownRequestError(this.label, messageType);
    return { content: reply, metadata: {}, buffers: [], via: 'shell', ms: performance.now() - started };
  }

  waitUntilIdle(): Promise<boolean> {
    return Promise.resolve(true);
  }

  interrupt(): Promise<void> {
    return Promise.resolve();
  }

  restart(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
