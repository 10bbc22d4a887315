// The Kernel over any transport: handshake, routing of messages to the requests they belong to, the execution queue,
// subshells for a busy kernel, and the end of everything when the kernel dies.
import { GrusError } from '@grus/core';
import { KernelBusyError, KernelDiedError, KernelTimeoutError, UnknownRequestError } from '../errors.js';
import type {
  ExecuteOptions,
  ExecuteResult,
  Kernel,
  KernelInfo,
  KernelStatus,
  Reply,
  RequestOptions,
  SubshellUse,
} from '../kernel.js';
import { type Channel, type Content, type Message, newMessage } from '../protocol/message.js';
import type { Transport } from '../transport.js';
import { Activity } from './activity.js';
import type { Conversation } from './conversation.js';
import { Exchange, Exchanges } from './exchange.js';
import { runExecution } from './execution.js';
import { shakeHands } from './handshake.js';
import { Subshell } from './subshell.js';
import { pause, timedOut, within } from './wait.js';

const defaultTimeout = 10_000;
const restartTimeout = 60_000;
const subshellPatience = 30;
const abortedRetryPause = 30;
/** Reply and idle travel on different sockets, so idle may be seen first. */
const replyAfterIdleGrace = 1_000;

export class KernelClient implements Kernel, Conversation {
  readonly activity = new Activity();
  readonly ended: Promise<Error | null>;
  private readonly exchanges = new Exchanges();
  private readonly subshell = new Subshell(this);
  private queue: Promise<unknown> = Promise.resolve();
  private death: GrusError | undefined;
  private closing: Promise<void> | undefined;
  private closed = false;
  private restarting: Promise<void> | undefined;
  /** Counts restarts: what was queued for an earlier process is not run in the next. */
  private generation = 0;
  private currentInfo!: KernelInfo;
  private settleEnded!: (error: Error | null) => void;

  private constructor(readonly transport: Transport) {
    this.ended = new Promise((resolve) => {
      this.settleEnded = resolve;
    });
    transport.listen({
      message: (channel, message) => this.route(channel, message),
      died: (error) => this.die(error),
    });
  }

  /** Connects over the transport; closes it again when the kernel does not answer within `timeout`. */
  static async connect(transport: Transport, timeout: number): Promise<KernelClient> {
    const client = new KernelClient(transport);
    try {
      client.currentInfo = await shakeHands(client, timeout);
      return client;
    } catch (error) {
      await transport.close();
      throw error;
    }
  }

  get label(): string {
    return this.transport.label;
  }

  get owned(): boolean {
    return this.transport.owned;
  }

  get connectionFile(): string | null {
    return this.transport.connectionFile;
  }

  get pid(): number | null {
    return this.transport.pid;
  }

  get info(): KernelInfo {
    return this.currentInfo;
  }

  get status(): KernelStatus {
    if (this.death !== undefined || this.closing !== undefined) {
      return 'dead';
    }
    return this.activity.busy ? 'busy' : 'idle';
  }

  async execute(code: string, options: ExecuteOptions = {}): Promise<ExecuteResult> {
    const use = options.subshell ?? 'never';
    if (use !== 'never' && (await this.wantsSubshell(use))) {
      return runExecution(this, code, options, await this.subshell.id());
    }
    const { generation } = this;
    const run = async () => {
      const budget = options.busyBudget ?? defaultTimeout;
      this.assertAlive();
      if (generation !== this.generation) {
        throw this.wasRestarted();
      }
      if (!(await this.waitUntilIdle(budget))) {
        throw new KernelBusyError(this.label, budget);
      }
      return runExecution(this, code, options, undefined);
    };
    const result = this.queue.then(run, run);
    this.queue = result.catch(() => undefined);
    return result;
  }

  async request(messageType: string, content: Content, options: RequestOptions = {}): Promise<Reply> {
    await this.restarting?.catch(() => undefined);
    const started = performance.now();
    const timeout = options.timeout ?? defaultTimeout;
    const left = () => timeout - (performance.now() - started);
    const channel = options.channel ?? 'shell';
    const subshell = channel === 'shell' ? await this.chooseSubshell(options, left()) : undefined;
    for (;;) {
      const exchange = this.open(
        channel,
        newMessage(this.transport.session, messageType, content, {
          subshell,
          ...(options.buffers === undefined ? {} : { buffers: options.buffers }),
        }),
      );
      try {
        const reply = await within(this.replyTo(exchange, options.replyAfterIdle ?? false), left());
        if (reply === timedOut) {
          const stuck = channel === 'shell' && subshell === undefined && this.activity.busy;
          throw stuck
            ? new KernelBusyError(this.label, timeout)
            : new KernelTimeoutError(this.label, messageType, timeout);
        }
        if (reply.content['status'] === 'aborted' && left() > abortedRetryPause) {
          await pause(abortedRetryPause);
          continue;
        }
        const via = channel === 'control' ? channel : subshell === undefined ? 'shell' : 'subshell';
        const { metadata, buffers } = reply;
        return { content: reply.content, metadata, buffers, via, ms: performance.now() - started };
      } finally {
        this.exchanges.remove(exchange);
      }
    }
  }

  waitUntilIdle(ms: number): Promise<boolean> {
    return this.activity.waitUntilIdle(ms);
  }

  async interrupt(): Promise<void> {
    this.assertAlive();
    await this.transport.interrupt();
  }

  restart(): Promise<void> {
    this.restarting ??= this.replace().finally(() => {
      this.restarting = undefined;
    });
    this.queue = this.restarting.catch(() => undefined);
    return this.restarting;
  }

  close(): Promise<void> {
    this.closing ??= (async () => {
      if (this.death === undefined && !this.owned) {
        await this.subshell.remove();
      }
      this.closed = true;
      this.exchanges.failAll(
        new KernelDiedError(`${this.label} was closed`, { advice: 'Start or attach to a kernel again.' }),
      );
      await this.transport.close();
      this.activity.reset();
      this.settleEnded(this.death ?? null);
    })();
    return this.closing;
  }

  /** Sends a message and keeps track of what comes back, until the exchange is removed. */
  open(
    channel: 'shell' | 'control',
    message: Message,
    onIopub: (message: Message) => void = () => {},
  ): Exchange {
    const exchange = new Exchange(message, channel, onIopub);
    this.assertAlive();
    if (message.header.msg_type !== 'execute_request') {
      this.activity.ignore(message.header.msg_id);
    }
    this.exchanges.add(exchange);
    this.transport.send(channel, message);
    return exchange;
  }

  done(exchange: Exchange): void {
    this.exchanges.remove(exchange);
  }

  private async replace(): Promise<void> {
    this.assertAlive();
    if (!this.owned || this.transport.restart === undefined) {
      throw new GrusError(`${this.label} was not started by Grus, so it is not restarted`, {
        advice: 'Restart the kernel where it was started.',
      });
    }
    this.generation += 1;
    this.exchanges.failAll(this.wasRestarted());
    this.subshell.forget();
    await this.transport.restart();
    this.activity.reset();
    this.currentInfo = await shakeHands(this, restartTimeout);
  }

  private wasRestarted(): GrusError {
    return new KernelDiedError(`${this.label} was restarted`, {
      advice: 'Run again the cells whose results are needed.',
    });
  }

  private async replyTo(exchange: Exchange, replyAfterIdle: boolean): Promise<Message> {
    if (replyAfterIdle) {
      return exchange.reply;
    }
    const silent = exchange.idle.then(() => within(exchange.reply, replyAfterIdleGrace));
    const first = await Promise.race([exchange.reply, silent]);
    if (first === timedOut) {
      throw new UnknownRequestError(this.label, exchange.request.header.msg_type);
    }
    return first;
  }

  private async chooseSubshell(
    options: { readonly subshell?: SubshellUse; readonly busyBudget?: number },
    left: number,
  ): Promise<string | undefined> {
    const use = options.subshell ?? 'when-busy';
    if (await this.wantsSubshell(use)) {
      return this.subshell.id();
    }
    const budget = Math.min(options.busyBudget ?? left, left);
    if (!(await this.waitUntilIdle(budget))) {
      throw new KernelBusyError(this.label, budget);
    }
    return undefined;
  }

  /** What makes the kernel busy is often over at once, and then the main shell is the better place. */
  private async wantsSubshell(use: SubshellUse): Promise<boolean> {
    if (use === 'when-busy' && this.currentInfo.subshells) {
      return !(await this.waitUntilIdle(Math.max(0, subshellPatience - this.activity.busyFor)));
    }
    return use === 'always';
  }

  private route(channel: Channel, message: Message): void {
    if (channel === 'iopub') {
      this.activity.hear();
      if (message.header.msg_type === 'status') {
        this.activity.status(message);
      } else if (message.header.msg_type === 'shutdown_reply') {
        this.endedByOthers(message.content['restart'] === true);
      }
    }
    const exchange = this.exchanges.find(message);
    if (exchange !== undefined && channel === 'stdin') {
      // Requests say that input is not allowed; a kernel that asks all the same must not wait for ever.
      this.transport.interrupt().catch(() => undefined);
    }
    exchange?.take(channel, message);
  }

  private assertAlive(): void {
    if (this.death !== undefined) {
      throw this.death;
    }
    if (this.closed) {
      throw new KernelDiedError(`${this.label} is closed`, { advice: 'Start or attach to a kernel again.' });
    }
  }

  /** The kernel tells every client that it is about to end, and whether another process takes its place. */
  private endedByOthers(restart: boolean): void {
    if (this.restarting === undefined && this.closing === undefined) {
      this.die(
        new KernelDiedError(`${this.label} was ${restart ? 'restarted' : 'shut down'} by another client`, {
          advice: restart
            ? 'Attach again and run the cells again.'
            : 'Start a kernel and attach to that one.',
        }),
      );
    }
  }

  private die(error: GrusError): void {
    this.death ??= error;
    this.exchanges.failAll(this.death);
    this.activity.reset();
    this.settleEnded(this.death);
  }
}
