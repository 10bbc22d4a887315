// The four ZeroMQ channels that carry messages of a local kernel. The heartbeat has a file of its own.
import { Dealer, Subscriber } from 'zeromq';
import { decodeFrames, encodeFrames } from '../protocol/frames.js';
import type { Channel, Message } from '../protocol/message.js';
import { type Connection, endpoint, signerOf } from './connection-file.js';

type Outgoing = Exclude<Channel, 'iopub'>;

const options = { linger: 0, sendHighWaterMark: 0, receiveHighWaterMark: 0, reconnectInterval: 50 } as const;

export class Sockets {
  private readonly dealers: Record<Outgoing, Dealer>;
  private readonly iopub: Subscriber;
  private readonly sending: Record<Outgoing, Promise<void>>;
  private readonly signer;
  private closed = false;
  /** Messages that were dropped because their signature was wrong. */
  badSignatures = 0;

  constructor(
    connection: Connection,
    session: string,
    private readonly onMessage: (channel: Channel, message: Message) => void,
  ) {
    this.signer = signerOf(connection);
    // The kernel asks for input at the identity that executed, so all three share one.
    const dealer = () => new Dealer({ ...options, routingId: session });
    this.dealers = { shell: dealer(), control: dealer(), stdin: dealer() };
    this.sending = { shell: Promise.resolve(), control: Promise.resolve(), stdin: Promise.resolve() };
    this.iopub = new Subscriber({ linger: 0, receiveHighWaterMark: 0, reconnectInterval: 50 });
    this.iopub.subscribe();
    this.iopub.connect(endpoint(connection, 'iopub_port'));
    void this.receive('iopub', this.iopub);
    for (const [channel, socket] of Object.entries(this.dealers) as [Outgoing, Dealer][]) {
      socket.connect(endpoint(connection, `${channel}_port`));
      void this.receive(channel, socket);
    }
  }

  send(channel: Outgoing, message: Message): void {
    if (this.closed) {
      return;
    }
    const frames = encodeFrames(this.signer, message);
    // One send at a time is allowed on a socket.
    this.sending[channel] = this.sending[channel]
      .then(() => this.dealers[channel].send(frames as Buffer[]))
      .catch(() => undefined);
  }

  /** Resolves when everything given to `send` has been handed over. */
  async flush(): Promise<void> {
    await Promise.all(Object.values(this.sending));
  }

  close(): void {
    if (this.closed) {
      return;
    }
    this.closed = true;
    for (const socket of [this.iopub, ...Object.values(this.dealers)]) {
      socket.close();
    }
  }

  private async receive(channel: Channel, socket: AsyncIterable<Uint8Array[]>): Promise<void> {
    try {
      for await (const frames of socket) {
        const decoded = decodeFrames(this.signer, frames);
        if (decoded.ok) {
          this.onMessage(channel, decoded.message);
        } else if (decoded.because === 'signature') {
          this.badSignatures += 1;
        }
      }
    } catch (error) {
      if (!this.closed) {
        throw error;
      }
    }
  }
}
