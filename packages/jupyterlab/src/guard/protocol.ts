// What the page and the guard in the kernel tell each other. A plan goes ahead of the cells that it names; what came out is in
// the reply to a cell that was not run, and in a message of its own for one that was.
import type { Verdict } from '@grus/core';
import type { CellStatus } from '@grus/notebook';
import { KernelMessage, type Kernel as Lab } from '@jupyterlab/services';
import type { Mode } from '../settings/mode.js';

export interface Plan {
  /** Ids of the cells that follow, in their order. */
  readonly run: readonly string[];
  readonly ignore: Readonly<Record<string, readonly string[]>>;
  /** Cells of the notebook that differ from what this kernel was told before, and those that are gone. */
  readonly changed: readonly {
    readonly id: string;
    readonly number: number;
    readonly source: string;
    readonly status: CellStatus;
  }[];
  readonly gone: readonly string[];
  readonly mode: Mode;
  /** Milliseconds that each cell may be kept waiting. */
  readonly budget: number;
  readonly rungs: readonly string[];
  readonly preview: boolean;
  /** Whether a copy runs ahead of cells that look long. */
  readonly ahead: boolean;
  /** How many cells were held so far, as far as the page knows: what it sent before it knew of the last is not run. */
  readonly holds: number;
  /** The cell of these that was looked at ahead, if nothing can have run in the kernel since. */
  readonly known: string | null;
  /** The cell that was sent right before these, if they belong together: where it stops, they wait behind it. */
  readonly after: string | null;
}

/** Why a cell was not run. */
export type Refusal =
  | { readonly kind: 'held'; readonly verdict: Verdict; readonly ms: number }
  /** Interrupted while it was being judged. */
  | { readonly kind: 'interrupted' }
  /** It was sent before the page knew of so many held cells. */
  | { readonly kind: 'behind'; readonly holds: number };

/** What came out for a cell that runs. */
export type Passed = { readonly cell: string } & (
  | { readonly kind: 'verdict'; readonly verdict: Verdict | null; readonly ms: number }
  | { readonly kind: 'late'; readonly ms: number }
  | { readonly kind: 'failed'; readonly message: string }
);

/** What a copy that runs ahead of a running cell has met: the cell will crash. */
export interface Foreseen {
  readonly verdict: Verdict;
  /** Whether the cell was interrupted for it. */
  readonly interrupted: boolean;
}

/** The cell that was held last, and those that waited behind it. */
export interface Stopped {
  readonly cell: string;
  readonly verdict: Verdict;
  readonly behind: readonly string[];
}

/** What a page that was loaded meanwhile asks: its answer has `stopped`, or null. */
export const stoppedRequestType = 'grus_stopped_request';

export const planRequestType = 'grus_plan_request';
/** A plan for a cell that may be run next: it is judged while nobody waits. */
export const lookRequestType = 'grus_look_request';
const passedType = 'grus_checked';
const foreseenType = 'grus_foreseen';

/** Not answered: the kernel handles it before the cells that follow. */
export function sendPlan(connection: Lab.IKernelConnection, plan: Plan): void {
  send(connection, planRequestType, plan);
}

/** Not answered either: what came out matters when a plan says that the cell is known. */
export function sendLook(connection: Lab.IKernelConnection, plan: Plan, source: string): void {
  send(connection, lookRequestType, { ...plan, source });
}

function send(connection: Lab.IKernelConnection, type: string, content: object): void {
  const message = KernelMessage.createMessage({
    channel: 'shell',
    msgType: type as 'execute_request',
    session: connection.clientId,
    username: connection.username,
    content: content as never,
  });
  connection.sendShellMessage(message as never, false, true);
}

/** The refusal in a reply to a cell; null when the cell was run, undefined when the message is no such reply. */
export function refusalIn(message: KernelMessage.IMessage): Refusal | null | undefined {
  if (message.header.msg_type !== 'execute_reply') return undefined;
  return (message.content as { readonly grus?: Refusal }).grus ?? null;
}

export function passedIn(message: KernelMessage.IMessage): Passed | null {
  return (message.header.msg_type as string) === passedType ? (message.content as unknown as Passed) : null;
}

export function foreseenIn(message: KernelMessage.IMessage): Foreseen | null {
  return (message.header.msg_type as string) === foreseenType
    ? (message.content as unknown as Foreseen)
    : null;
}
