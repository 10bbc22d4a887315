// The transport of a kernel on a Jupyter server: messages over the WebSocket, everything else over REST.
import { randomUUID } from 'node:crypto';
import type { GrusError } from '@grus/core';
import { pause } from '../client/wait.js';
import { KernelDiedError, KernelUnavailableError } from '../errors.js';
import type { Channel, Message } from '../protocol/message.js';
import { type HeldKernel, register, unregister } from '../registry.js';
import type { Transport, TransportListener } from '../transport.js';
import { call, type KernelModel, type Settings } from './rest.js';
import { KernelSocket } from './socket.js';

const shutdownPauses = [0, 500, 1_000, 2_000, 4_000];

export class ServerTransport implements Transport, HeldKernel {
  readonly connectionFile = null;
  readonly pid = null;
  readonly label: string;
  readonly session = randomUUID();
  private readonly socket: KernelSocket;
  private listener: TransportListener | undefined;
  private restarting = false;
  private closed = false;

  private constructor(
    private readonly settings: Settings,
    private readonly model: KernelModel,
    readonly owned: boolean,
  ) {
    this.label = `kernel ${model.name} ${model.id} on ${settings.baseUrl}`;
    this.socket = new KernelSocket(settings, model.id, this.session, {
      message: (channel, message) => this.receive(channel, message),
      lost: (because) => this.listener?.died(this.lossOf(because)),
    });
    if (owned) {
      register(this);
    }
  }

  static async open(settings: Settings, model: KernelModel, owned: boolean): Promise<ServerTransport> {
    const transport = new ServerTransport(settings, model, owned);
    try {
      await transport.socket.open();
      return transport;
    } catch (cause) {
      await transport.close();
      throw new KernelUnavailableError(`Cannot open the channels of ${transport.label}`, {
        advice: 'Check that a proxy in between lets WebSockets through.',
        cause,
      });
    }
  }

  listen(listener: TransportListener): void {
    this.listener = listener;
  }

  send(channel: Channel, message: Message): void {
    this.socket.send(channel, message);
  }

  async interrupt(): Promise<void> {
    await call(this.settings, `api/kernels/${this.model.id}/interrupt`, 'POST', {});
  }

  async restart(): Promise<void> {
    this.restarting = true;
    try {
      const { status } = await call(this.settings, `api/kernels/${this.model.id}/restart`, 'POST', {});
      if (status >= 400) {
        throw new KernelUnavailableError(`${this.label} could not be restarted (status ${status})`, {
          advice: "Look at the server's log.",
        });
      }
    } finally {
      this.restarting = false;
    }
  }

  async close(): Promise<void> {
    if (!this.closed) {
      this.closed = true;
      this.socket.close();
      if (this.owned) {
        await this.shutDown();
        unregister(this);
      }
    }
  }

  /** A request cannot be sent from a process that is already going; signals end kernels through `close`. */
  killNow(): void {}

  /** A server that is just restarting the kernel fails to end it, so it is asked again. */
  private async shutDown(): Promise<void> {
    for (const ms of shutdownPauses) {
      await pause(ms);
      const answer = await call(this.settings, `api/kernels/${this.model.id}`, 'DELETE').catch(
        () => undefined,
      );
      if (answer === undefined || answer.status < 500) {
        return;
      }
    }
  }

  private receive(channel: Channel, message: Message): void {
    if (channel === 'iopub' && message.header.msg_type === 'status' && !this.restarting) {
      const state = message.content['execution_state'];
      if (state === 'restarting' || state === 'dead') {
        this.listener?.died(
          new KernelDiedError(
            `${this.label} died${state === 'restarting' ? ', and the server restarted it' : ''}`,
            {
              advice: 'Look at the cell that was running: it ended the process, or memory ran out.',
            },
          ),
        );
        return;
      }
    }
    this.listener?.message(channel, message);
  }

  private lossOf(because: 'kernel-gone' | 'server-gone'): GrusError {
    return because === 'kernel-gone'
      ? new KernelDiedError(`${this.label} was shut down`, {
          advice: 'Start a kernel and attach to that one.',
        })
      : new KernelDiedError(`The connection to ${this.label} was lost and could not be restored`, {
          advice: 'Check that the Jupyter server is still running.',
        });
  }
}
