// The kernel of an open notebook as the ladder wants it: asked through the connection that JupyterLab already holds,
// silently, without history or output. It is never started, restarted or ended from here.
import { GrusError } from '@grus/core';
import {
  type ExecuteOptions,
  type ExecuteResult,
  type Kernel,
  KernelBusyError,
  type KernelInfo,
  type KernelStatus,
  KernelTimeoutError,
  pause,
  type Reply,
  type RequestOptions,
  timedOut,
  UnknownRequestError,
  within,
} from '@grus/kernel';
import { KernelMessage, type Kernel as Lab } from '@jupyterlab/services';
import type { Pulse } from './pulse.js';
import { Subshell } from './subshell.js';

/** The last resort: who asks has a limit of his own. */
const defaultTimeout = 60_000;
/** Reply and idle travel on different channels, so idle may be seen first. */
const replyAfterIdle = 500;
const abortedPause = 30;

/** What JupyterLab has asked the kernel already. */
export interface LabKernelInfo extends KernelInfo {
  readonly implementation: string;
}

export class LabKernel implements Kernel {
  readonly owned = false;
  readonly connectionFile = null;
  readonly pid = null;
  readonly ended: Promise<Error | null>;
  readonly #subshell: Subshell;

  private constructor(
    readonly connection: Lab.IKernelConnection,
    private readonly pulse: Pulse,
    readonly info: LabKernelInfo,
  ) {
    this.#subshell = new Subshell(connection);
    this.ended = new Promise((resolve) => connection.disposed.connect(() => resolve(null)));
  }

  static async of(connection: Lab.IKernelConnection, pulse: Pulse): Promise<LabKernel> {
    return new LabKernel(connection, pulse, readInfo(await connection.info));
  }

  get label(): string {
    return `kernel ${this.connection.name}`;
  }

  get status(): KernelStatus {
    if (this.connection.isDisposed || this.connection.status === 'dead') return 'dead';
    return this.pulse.idle ? 'idle' : 'busy';
  }

  waitUntilIdle(ms: number): Promise<boolean> {
    return this.pulse.whenIdle(ms);
  }

  async execute(code: string, options: ExecuteOptions = {}): Promise<ExecuteResult> {
    const started = performance.now();
    const budget = options.busyBudget ?? defaultTimeout;
    if (!(await this.waitUntilIdle(budget))) throw new KernelBusyError(this.label, budget);
    const future = this.connection.requestExecute({
      code,
      silent: true,
      store_history: false,
      allow_stdin: false,
      stop_on_error: false,
    });
    const reply = await within(future.done, options.timeout ?? defaultTimeout);
    if (reply === timedOut) future.dispose();
    const content = reply === timedOut ? undefined : reply.content;
    return {
      status: content?.status === 'abort' ? 'aborted' : (content?.status ?? 'timeout'),
      executionCount: null,
      outputs: [],
      error: content?.status === 'error' ? content : null,
      userExpressions: {},
      recovered: content !== undefined,
      ms: performance.now() - started,
    };
  }

  async request(messageType: string, content: object, options: RequestOptions = {}): Promise<Reply> {
    const started = performance.now();
    const timeout = options.timeout ?? defaultTimeout;
    const left = () => timeout - (performance.now() - started);
    // Asked in this very turn of the event loop, so that the kernel works while the page goes on drawing.
    const subshell = this.pulse.idle ? undefined : await this.#place(options, left());
    for (;;) {
      const reply = await within(this.#exchange(messageType, content, subshell), left());
      if (reply === timedOut) throw new KernelTimeoutError(this.label, messageType, timeout);
      const answer = reply.content as Reply['content'];
      if (answer['status'] === 'aborted' && left() > abortedPause) {
        await pause(abortedPause);
        continue;
      }
      const via = subshell === undefined ? 'shell' : 'subshell';
      return { content: answer, metadata: {}, buffers: [], via, ms: performance.now() - started };
    }
  }

  interrupt(): Promise<void> {
    return Promise.reject(notOurs(this.label));
  }

  restart(): Promise<void> {
    return Promise.reject(notOurs(this.label));
  }

  async close(): Promise<void> {
    await this.#subshell.remove();
  }

  /** While a cell is running: the subshell to ask in, or none once the kernel is idle. */
  async #place(options: RequestOptions, left: number): Promise<string | undefined> {
    if (options.subshell !== 'never' && this.info.subshells && this.#subshell.possible)
      return this.#subshell.id();
    const budget = Math.min(options.busyBudget ?? left, left);
    if (!(await this.waitUntilIdle(budget))) throw new KernelBusyError(this.label, budget);
    return undefined;
  }

  #exchange(
    messageType: string,
    content: object,
    subshell: string | undefined,
  ): Promise<KernelMessage.IShellMessage> {
    const { connection } = this;
    const message = KernelMessage.createMessage({
      channel: 'shell',
      msgType: messageType as 'execute_request',
      session: connection.clientId,
      username: connection.username,
      content: content as KernelMessage.IExecuteRequestMsg['content'],
    });
    if (subshell !== undefined) Object.assign(message.header, { subshell_id: subshell });
    const future = connection.sendShellMessage(message as never, true, false);
    future.done.catch(() => undefined);
    const answered = new Promise<KernelMessage.IShellMessage>((resolve, reject) => {
      future.onReply = resolve;
      future.onIOPub = (status) => {
        if (!KernelMessage.isStatusMsg(status) || status.content.execution_state !== 'idle') return;
        setTimeout(() => reject(new UnknownRequestError(this.label, messageType)), replyAfterIdle);
      };
    });
    return answered.finally(() => future.dispose());
  }
}

function readInfo(info: KernelMessage.IInfoReply): LabKernelInfo {
  const features = (info as { supported_features?: unknown }).supported_features;
  return {
    language: info.language_info.name.toLowerCase(),
    implementation: info.implementation,
    subshells: Array.isArray(features) && features.includes('kernel subshells'),
  };
}

function notOurs(label: string): GrusError {
  return new GrusError(`${label} belongs to the notebook`, { advice: 'Use the Kernel menu of JupyterLab.' });
}
