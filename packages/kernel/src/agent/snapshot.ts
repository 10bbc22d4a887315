// Asks the agent in a kernel for a snapshot. The agent is installed on first use and again after a restart or when
// another version answers; every reply passes the schema.
import { GrusError } from '@grus/core';
import { z } from 'zod';
import { UnknownRequestError } from '../errors.js';
import type { Kernel, Reply } from '../kernel.js';
import { completeRequest, type SnapshotRequest } from '../snapshot/request.js';
import { type Snapshot, snapshotSchema } from '../snapshot/schema.js';
import { agentVersion, installAgent } from './install.js';

/** The message that asks the agent. It runs none of the user's code. */
export const snapshotRequestType = 'grus_snapshot_request';

const replySchema = z.discriminatedUnion('status', [
  z.object({ status: z.literal('ok'), agent: z.string(), agent_ms: z.number(), snapshot: z.unknown() }),
  z.object({ status: z.literal('stale'), agent: z.string() }),
  z.object({ status: z.literal('error'), ename: z.string(), evalue: z.string(), where: z.string() }),
]);

export interface SnapshotOptions {
  /** Milliseconds for everything, waiting for a busy kernel and installing included. Default 10 000. */
  readonly timeout?: number;
  /** Milliseconds of these to wait for a busy kernel that has no subshells. Default: all of them. */
  readonly busyBudget?: number;
}

export interface TakenSnapshot {
  readonly snapshot: Snapshot;
  /** Round trip as the client saw it. */
  readonly ms: number;
  /** Time the agent itself took inside the kernel. */
  readonly agentMs: number;
  /** True when a cell was running: the state may change under the answer. */
  readonly whileBusy: boolean;
}

const installed = new WeakMap<Kernel, number>();

/** How often the agent was put into this kernel from here: 0 means never, a change means that it had gone. */
export function installations(kernel: Kernel): number {
  return installed.get(kernel) ?? 0;
}

/** One snapshot of what the request asks for. */
export async function takeSnapshot(
  kernel: Kernel,
  request: SnapshotRequest,
  options: SnapshotOptions = {},
): Promise<TakenSnapshot> {
  const started = performance.now();
  const reply = await ask(kernel, request, options);
  const body = replySchema.safeParse(reply.content);
  if (!body.success) {
    throw unusable(kernel, 'its reply has another form', body.error);
  }
  if (body.data.status === 'error') {
    throw unusable(kernel, `${body.data.ename}: ${body.data.evalue} (${body.data.where})`);
  }
  if (body.data.status === 'stale') {
    throw unusable(kernel, `version ${body.data.agent} keeps answering instead of ${agentVersion}`);
  }
  const parsed = snapshotSchema.safeParse(body.data.snapshot);
  if (!parsed.success) {
    throw unusable(kernel, `the snapshot breaks its schema: ${firstIssue(parsed.error)}`, parsed.error);
  }
  return {
    snapshot: parsed.data,
    ms: performance.now() - started,
    agentMs: body.data.agent_ms,
    whileBusy: reply.via === 'subshell',
  };
}

async function ask(kernel: Kernel, request: SnapshotRequest, options: SnapshotOptions): Promise<Reply> {
  if (installations(kernel) === 0) {
    await equip(kernel, options);
  }
  try {
    const reply = await send(kernel, request, options);
    if (reply.content['status'] !== 'stale') {
      return reply;
    }
  } catch (error) {
    if (!(error instanceof UnknownRequestError)) {
      throw error;
    }
  }
  await equip(kernel, options);
  return send(kernel, request, options);
}

async function equip(kernel: Kernel, options: SnapshotOptions): Promise<void> {
  await installAgent(kernel, options);
  installed.set(kernel, installations(kernel) + 1);
}

function send(kernel: Kernel, request: SnapshotRequest, options: SnapshotOptions): Promise<Reply> {
  return kernel.request(
    snapshotRequestType,
    { ...completeRequest(request), agent: agentVersion },
    {
      ...(options.timeout === undefined ? {} : { timeout: options.timeout }),
      ...(options.busyBudget === undefined ? {} : { busyBudget: options.busyBudget }),
    },
  );
}

function firstIssue(error: z.ZodError): string {
  const issue = error.issues[0];
  return issue ? `${issue.path.join('.')}: ${issue.message}` : 'unknown';
}

function unusable(kernel: Kernel, why: string, cause?: unknown): GrusError {
  return new GrusError(`The agent in ${kernel.label} gave no usable snapshot: ${why}`, {
    advice: 'Run the command again; if it stays, restart the kernel and report this line.',
    cause,
  });
}
