// The transport of a local kernel that somebody else started: we listen and ask, and leave it running.
import { randomUUID } from 'node:crypto';
import { KernelDiedError } from '../errors.js';
import { type Message, newMessage } from '../protocol/message.js';
import type { Transport, TransportListener } from '../transport.js';
import type { Connection } from './connection-file.js';
import { Heartbeat } from './heartbeat.js';
import { Sockets } from './sockets.js';

export class AttachedTransport implements Transport {
  readonly owned = false;
  readonly pid = null;
  readonly label: string;
  readonly session = randomUUID();
  private readonly sockets: Sockets;
  private readonly heartbeat: Heartbeat;
  /** Nobody listens in the first moment; nothing has been asked by then. */
  private listener: TransportListener | null = null;

  constructor(
    readonly connectionFile: string,
    connection: Connection,
  ) {
    this.label = `kernel ${connection.kernel_name || 'of'} ${connectionFile}`;
    this.sockets = new Sockets(connection, this.session, (channel, message) =>
      this.listener?.message(channel, message),
    );
    this.heartbeat = new Heartbeat(connection, () =>
      this.listener?.died(
        new KernelDiedError(`${this.label} died: its heartbeat stopped`, {
          advice: 'Restart the kernel where it was started, then attach again.',
        }),
      ),
    );
  }

  /** Whether the kernel has echoed a heartbeat since we attached. */
  get beats(): boolean {
    return this.heartbeat.heard;
  }

  listen(listener: TransportListener): void {
    this.listener = listener;
  }

  send(channel: 'shell' | 'control' | 'stdin', message: Message): void {
    this.sockets.send(channel, message);
  }

  async interrupt(): Promise<void> {
    this.send('control', newMessage(this.session, 'interrupt_request', {}));
  }

  async close(): Promise<void> {
    await this.sockets.flush();
    this.heartbeat.close();
    this.sockets.close();
  }
}
