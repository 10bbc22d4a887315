// The WebSocket that carries all channels of one kernel of a Jupyter server. A lost connection is opened again with
// the same session, for which the server keeps the messages in the meantime. @jupyterlab/services gives the socket
// class and the serialisation; its own KernelConnection writes to the console and answers comms, so it is not used.
import { pause } from '../client/wait.js';
import type { Channel, Message } from '../protocol/message.js';
import { call, type Settings } from './rest.js';

const protocol = 'v1.kernel.websocket.jupyter.org';
const reconnectPauses = [0, 500, 1_500, 4_000];

/** The part of a WebSocket that is used; the global type is missing without the DOM's types. */
interface Socket {
  binaryType: string;
  readonly protocol: string;
  onopen: (() => void) | null;
  onclose: (() => void) | null;
  onerror: ((event: { message?: string }) => void) | null;
  onmessage: ((event: { data: ArrayBuffer | string }) => void) | null;
  send(data: ArrayBuffer | string): void;
  pong(): void;
  close(): void;
}
type SocketClass = new (url: string, protocols: string[], options: object) => Socket;

export interface SocketListener {
  message(channel: Channel, message: Message): void;
  /** The connection is lost for good: the kernel is gone, or the server is. */
  lost(because: 'kernel-gone' | 'server-gone'): void;
}

export class KernelSocket {
  private socket: Socket | undefined;
  private readonly waiting: [Channel, Message][] = [];
  private closed = false;

  constructor(
    private readonly settings: Settings,
    private readonly kernelId: string,
    private readonly session: string,
    private readonly listener: SocketListener,
  ) {}

  async open(): Promise<void> {
    this.socket = await this.connect([protocol]).catch(() => this.connect([]));
    for (const [channel, message] of this.waiting.splice(0)) {
      this.send(channel, message);
    }
  }

  send(channel: Channel, message: Message): void {
    if (this.socket === undefined) {
      this.waiting.push([channel, message]);
      return;
    }
    const { serializer } = this.settings;
    const outgoing = { ...message, channel, buffers: message.buffers.map((buffer) => asArrayBuffer(buffer)) };
    this.socket.send(serializer.serialize(outgoing as never, this.socket.protocol) as ArrayBuffer | string);
  }

  close(): void {
    this.closed = true;
    this.socket?.close();
  }

  private connect(protocols: string[]): Promise<Socket> {
    const { wsUrl, token } = this.settings;
    const WebSocketClass = this.settings.WebSocket as unknown as SocketClass;
    const query = `session_id=${encodeURIComponent(this.session)}`;
    const url = `${wsUrl}api/kernels/${encodeURIComponent(this.kernelId)}/channels?${query}`;
    // In a header and not in the address, which servers write to their logs.
    const headers = token === '' ? {} : { Authorization: `token ${token}` };
    return new Promise((resolve, reject) => {
      const socket = new WebSocketClass(url, protocols, { headers });
      socket.binaryType = 'arraybuffer';
      socket.onmessage = ({ data }) => this.receive(socket, data);
      socket.onerror = ({ message }) => reject(new Error(message ?? 'WebSocket failed'));
      socket.onopen = () => {
        socket.onerror = () => undefined;
        socket.onclose = () => void this.reconnect();
        resolve(socket);
      };
    });
  }

  private async reconnect(): Promise<void> {
    this.socket = undefined;
    for (const ms of reconnectPauses) {
      if (this.closed) {
        return;
      }
      await pause(ms);
      try {
        const { status } = await call(this.settings, `api/kernels/${encodeURIComponent(this.kernelId)}`);
        if (status === 404) {
          return this.giveUp('kernel-gone');
        }
        return await this.open();
      } catch {
        // The server may be on its way back.
      }
    }
    this.giveUp('server-gone');
  }

  private giveUp(because: 'kernel-gone' | 'server-gone'): void {
    if (!this.closed) {
      this.closed = true;
      this.listener.lost(because);
    }
  }

  private receive(socket: Socket, data: ArrayBuffer | string): void {
    // The server holds back its next small message until this one is acknowledged, which the operating system delays
    // by 40 ms unless there is something to send. A pong that nobody asked for is allowed and not answered.
    socket.pong();
    let incoming: { channel: Channel; buffers?: (ArrayBuffer | ArrayBufferView)[] } & Omit<
      Message,
      'buffers'
    >;
    try {
      incoming = this.settings.serializer.deserialize(data as ArrayBuffer, socket.protocol) as never;
    } catch {
      return;
    }
    if (typeof incoming.header?.msg_type === 'string') {
      const { channel, buffers = [], header, parent_header, metadata, content } = incoming;
      const bytes = buffers.map((buffer) =>
        ArrayBuffer.isView(buffer)
          ? new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength)
          : new Uint8Array(buffer),
      );
      this.listener.message(channel, {
        header,
        parent_header: parent_header ?? {},
        metadata,
        content,
        buffers: bytes,
      });
    }
  }
}

function asArrayBuffer(bytes: Uint8Array): ArrayBuffer {
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
}
