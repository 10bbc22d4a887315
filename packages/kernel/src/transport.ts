// What the client needs from a way to reach a kernel. There are two: ZeroMQ sockets of a local kernel, and the
// WebSocket of a Jupyter server.
import type { GrusError } from '@grus/core';
import type { Channel, Message } from './protocol/message.js';

export interface TransportListener {
  message(channel: Channel, message: Message): void;
  /** The kernel is gone, or out of reach for good. Called once. */
  died(error: GrusError): void;
}

export interface Transport {
  /** How the kernel is named in messages to people: "kernel python3". */
  readonly label: string;
  /** True when we started the kernel, and so must end it. */
  readonly owned: boolean;
  /** Session id in the headers of our requests. */
  readonly session: string;
  /** Of a local kernel; null when it is reached through a server. */
  readonly connectionFile: string | null;
  /** Of a process that we started. */
  readonly pid: number | null;
  listen(listener: TransportListener): void;
  send(channel: Exclude<Channel, 'iopub'>, message: Message): void;
  interrupt(): Promise<void>;
  /** Replaces an owned kernel by a fresh one; the client repeats its handshake afterwards. */
  restart?(): Promise<void>;
  /** Ends an owned kernel, lets go of any other. Never rejects. */
  close(): Promise<void>;
}
