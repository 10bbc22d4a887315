// The messages of the Jupyter protocol 5.x as they are held in memory, whichever transport carried them.
import { randomUUID } from 'node:crypto';

export type Channel = 'shell' | 'control' | 'iopub' | 'stdin';

export interface Header {
  readonly msg_id: string;
  readonly msg_type: string;
  readonly session: string;
  readonly username: string;
  readonly date: string;
  readonly version: string;
  /** Set when the message is for, or of, a subshell of the kernel. */
  readonly subshell_id?: string | null;
}

export type Content = Readonly<Record<string, unknown>>;

export interface Message {
  readonly header: Header;
  readonly parent_header: Partial<Header>;
  readonly metadata: Content;
  readonly content: Content;
  readonly buffers: readonly Uint8Array[];
}

const protocolVersion = '5.4';

/** A new request of ours, with a fresh id. */
export function newMessage(
  session: string,
  type: string,
  content: Content,
  options: { readonly subshell?: string | undefined; readonly buffers?: readonly Uint8Array[] } = {},
): Message {
  const header: Header = {
    msg_id: randomUUID(),
    msg_type: type,
    session,
    username: 'grus',
    date: new Date().toISOString(),
    version: protocolVersion,
    ...(options.subshell === undefined ? {} : { subshell_id: options.subshell }),
  };
  return { header, parent_header: {}, metadata: {}, content, buffers: options.buffers ?? [] };
}
