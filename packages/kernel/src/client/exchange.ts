// One request and what belongs to it: the reply, the iopub messages in between, and the moment when the kernel has
// gone idle again. The exchanges of a client are kept here, and all end at once when the kernel does.
import type { Channel, Message } from '../protocol/message.js';

export class Exchange {
  readonly reply: Promise<Message>;
  /** Resolves when the kernel has said that it is done with this request. */
  readonly idle: Promise<void>;
  private resolveReply!: (message: Message) => void;
  private rejectReply!: (error: Error) => void;
  private resolveIdle!: () => void;

  constructor(
    readonly request: Message,
    readonly channel: 'shell' | 'control',
    readonly onIopub: (message: Message) => void,
  ) {
    this.reply = new Promise((resolve, reject) => {
      this.resolveReply = resolve;
      this.rejectReply = reject;
    });
    this.idle = new Promise((resolve) => {
      this.resolveIdle = resolve;
    });
    this.reply.catch(() => undefined);
  }

  take(channel: Channel, message: Message): void {
    if (channel === this.channel) {
      this.resolveReply(message);
    } else if (channel === 'iopub') {
      if (message.header.msg_type === 'status') {
        if (message.content['execution_state'] === 'idle') {
          this.resolveIdle();
        }
      } else {
        this.onIopub(message);
      }
    }
  }

  fail(error: Error): void {
    this.rejectReply(error);
    this.resolveIdle();
  }
}

export class Exchanges {
  private readonly open = new Map<string, Exchange>();

  add(exchange: Exchange): void {
    this.open.set(exchange.request.header.msg_id, exchange);
  }

  remove(exchange: Exchange): void {
    this.open.delete(exchange.request.header.msg_id);
  }

  find(message: Message): Exchange | undefined {
    const id = message.parent_header.msg_id;
    return id === undefined ? undefined : this.open.get(id);
  }

  failAll(error: Error): void {
    for (const exchange of this.open.values()) {
      exchange.fail(error);
    }
    this.open.clear();
  }
}
