// Connection files: where a kernel's five sockets are and the key its messages are signed with.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { KernelUnavailableError } from '../errors.js';
import type { Signer } from '../protocol/frames.js';
import { freePorts } from './ports.js';

const port = z.number().int().min(1).max(65_535);

const connectionSchema = z.object({
  transport: z.enum(['tcp', 'ipc']).default('tcp'),
  ip: z.string().default('127.0.0.1'),
  shell_port: port,
  iopub_port: port,
  stdin_port: port,
  control_port: port,
  hb_port: port,
  key: z.string().default(''),
  signature_scheme: z
    .string()
    .regex(/^hmac-\w+$/)
    .default('hmac-sha256'),
  kernel_name: z.string().optional(),
});
export type Connection = z.infer<typeof connectionSchema>;
export type PortName = 'shell_port' | 'iopub_port' | 'stdin_port' | 'control_port' | 'hb_port';

export async function readConnectionFile(path: string): Promise<Connection> {
  const advice = "Give the kernel's own connection file; `%connect_info` in the notebook prints its path.";
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    throw new KernelUnavailableError(`Cannot read the connection file ${path}`, { advice, cause });
  }
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (cause) {
    throw new KernelUnavailableError(`${path} is not a connection file: it is not JSON`, { advice, cause });
  }
  if (typeof data === 'object' && data !== null && Object.keys(data).some((key) => key.startsWith('curve'))) {
    throw new KernelUnavailableError(
      `The kernel of ${path} encrypts its connection, which is not supported`,
      {
        advice: 'Start the kernel without encryption, or reach it through its Jupyter server.',
      },
    );
  }
  const parsed = connectionSchema.safeParse(data);
  if (!parsed.success) {
    const field = parsed.error.issues[0]?.path.join('.') || 'its content';
    throw new KernelUnavailableError(`${path} is not a connection file: ${field} is missing or wrong`, {
      advice,
      cause: parsed.error,
    });
  }
  return parsed.data;
}

export interface OwnConnection {
  readonly path: string;
  readonly connection: Connection;
  /** Removes the file and its folder. */
  remove(): void;
}

/** A connection file for a kernel that we start, in a folder that only this user can read. */
export async function createConnectionFile(kernelName: string): Promise<OwnConnection> {
  const [shell, iopub, stdin, control, heartbeat] = await freePorts(5);
  const connection = connectionSchema.parse({
    shell_port: shell,
    iopub_port: iopub,
    stdin_port: stdin,
    control_port: control,
    hb_port: heartbeat,
    key: randomUUID(),
    kernel_name: kernelName,
  });
  const path = join(mkdtempSync(join(tmpdir(), 'grus-kernel-')), 'connection.json');
  writeFileSync(path, JSON.stringify(connection), { mode: 0o600 });
  return { path, connection, remove: () => rmSync(dirname(path), { recursive: true, force: true }) };
}

export function endpoint(connection: Connection, name: PortName): string {
  if (connection.transport === 'ipc') {
    return `ipc://${connection.ip}-${connection[name]}`;
  }
  return `tcp://${reachableHost(connection)}:${connection[name]}`;
}

/** A kernel that listens on every interface is reached over the loopback. */
export function reachableHost(connection: Connection): string {
  return ['', '*', '0.0.0.0'].includes(connection.ip) ? '127.0.0.1' : connection.ip;
}

export function signerOf(connection: Connection): Signer {
  return { key: connection.key, hash: connection.signature_scheme.slice('hmac-'.length) };
}
