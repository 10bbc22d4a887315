// The one interface over every kind of kernel: what to execute, what comes back, and what may be asked.
import type { IOutput } from '@jupyterlab/nbformat';
import type { Content } from './protocol/message.js';

export type KernelStatus = 'idle' | 'busy' | 'dead';

export interface KernelInfo {
  /** Name of the language in lower case; null where nobody asked, as asking would change the kernel. */
  readonly language: string | null;
  /** True when requests can be answered while a cell is running. */
  readonly subshells: boolean;
}

/** Where a request goes: to the main shell, to a subshell, or to a subshell only while the main shell is busy. */
export type SubshellUse = 'never' | 'when-busy' | 'always';

export interface ExecuteOptions {
  /** Nothing is shown, stored or counted. Hooks of the kernel still fire. Default false. */
  readonly silent?: boolean;
  /** Default true, and false for a silent execution. */
  readonly storeHistory?: boolean;
  /** Whether a failure also aborts what other clients queued in the kernel. Default false. */
  readonly stopOnError?: boolean;
  /** Milliseconds the code may run; then it is interrupted and the status is `timeout`. Default: no limit. */
  readonly timeout?: number;
  /** Milliseconds to wait for somebody else's cell before giving up with KernelBusyError. Default 10 000. */
  readonly busyBudget?: number;
  /** Default `never`. An execution in a subshell does not wait in the queue. */
  readonly subshell?: SubshellUse;
  readonly userExpressions?: Readonly<Record<string, string>>;
  /** Called for each output as it arrives; stream output comes in the pieces that the kernel sent. */
  readonly onOutput?: (output: IOutput) => void;
}

export interface ExecuteError {
  readonly ename: string;
  readonly evalue: string;
  /** Lines as the kernel sent them, with their terminal colours. */
  readonly traceback: readonly string[];
}

export interface ExecuteResult {
  /** `aborted`: the kernel kept refusing it after a failure of another client's cell. */
  readonly status: 'ok' | 'error' | 'aborted' | 'timeout';
  readonly executionCount: number | null;
  /** The outputs as a notebook file holds them. */
  readonly outputs: IOutput[];
  readonly error: ExecuteError | null;
  readonly userExpressions: Content;
  /** After a time-out: whether the kernel obeyed the interrupt and is usable again. */
  readonly recovered: boolean;
  readonly ms: number;
}

export interface RequestOptions {
  /** Milliseconds for everything, waiting for a busy kernel included. Default 10 000. */
  readonly timeout?: number;
  /** Milliseconds of these to wait for a busy kernel without subshells. Default: all of them. */
  readonly busyBudget?: number;
  /** Default `shell`. */
  readonly channel?: 'shell' | 'control';
  /** Default `when-busy`. Only for the shell channel. */
  readonly subshell?: SubshellUse;
  readonly buffers?: readonly Uint8Array[];
  /** The handler answers later, after the kernel has gone idle again. Default false: idle without reply is an error. */
  readonly replyAfterIdle?: boolean;
}

export interface Reply {
  readonly content: Content;
  readonly metadata: Content;
  readonly buffers: readonly Uint8Array[];
  readonly via: 'shell' | 'subshell' | 'control';
  readonly ms: number;
}

export interface Kernel {
  /** How the kernel is named in messages to people: "kernel python3". */
  readonly label: string;
  /** True when Grus started the kernel. One that it did not start is never ended or restarted. */
  readonly owned: boolean;
  readonly info: KernelInfo;
  /** Of a local kernel: other clients can attach with it. Null when the kernel is reached through a server. */
  readonly connectionFile: string | null;
  /** Of a kernel process that Grus started on this machine. */
  readonly pid: number | null;
  readonly status: KernelStatus;
  /** Settles when the kernel dies or is closed, with the reason of a death. */
  readonly ended: Promise<Error | null>;
  /** Runs code after everything that was queued before it. Rejects when the kernel dies. `input()` is refused. */
  execute(code: string, options?: ExecuteOptions): Promise<ExecuteResult>;
  /** Sends one message and resolves with its reply. An aborted request is repeated. */
  request(messageType: string, content: Content, options?: RequestOptions): Promise<Reply>;
  /** Resolves with true when the kernel is, or becomes, idle within the given milliseconds. */
  waitUntilIdle(ms: number): Promise<boolean>;
  interrupt(): Promise<void>;
  /** A fresh process with an empty namespace. Pending executions are rejected. */
  restart(): Promise<void>;
  /** Ends a kernel that Grus started, lets go of any other. May be called twice. */
  close(): Promise<void>;
}
