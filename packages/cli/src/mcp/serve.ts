// The work of `grus mcp`: tools for coding agents, over standard input and output or over HTTP.
import type { RedactionLevel } from '@grus/core';
import { closeAllKernels } from '@grus/kernel';
import type { ServerAddress } from '@grus/server/client';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { version } from '../generated/version.js';
import type { KernelOptions } from '../options/kernel.js';
import { addressOf } from '../options/server.js';
import { guide } from './guide.js';
import { serveHttp } from './http.js';
import { registerJudging } from './judging.js';
import { Kernels } from './kernels.js';
import { registerLooking } from './looking.js';
import { registerCommit, registerTrying } from './running.js';
import { registerRuns } from './runs.js';
import { registerTeam } from './team.js';

export interface McpFlags extends KernelOptions {
  /** Offer the tool that runs code in the kernel itself. */
  readonly allowCommit?: boolean;
  readonly redaction?: RedactionLevel;
  /** A Grus server whose runs are offered; without an address, the one of GRUS_SERVER. */
  readonly team?: string | true;
  readonly project: string;
  /** Serve over HTTP on this port instead; 0 for any that is free. */
  readonly http?: number;
}

export async function serveMcp(flags: McpFlags): Promise<void> {
  const kernels = new Kernels(flags);
  const team = flags.team === undefined ? null : addressOf({ server: flags.team, project: flags.project });
  if (flags.http === undefined) {
    const ended = new Promise<void>((resolve) => process.stdin.once('end', resolve).once('close', resolve));
    serveStdio(() => serverOf(kernels, team, flags));
    await ended;
  } else {
    const stop = new AbortController();
    process.once('SIGINT', () => stop.abort()).once('SIGTERM', () => stop.abort());
    await serveHttp(flags.http, () => serverOf(kernels, team, flags), stop.signal);
  }
  await closeAllKernels();
}

function serverOf(kernels: Kernels, team: ServerAddress | null, flags: McpFlags): McpServer {
  const server = new McpServer({ name: 'grus', version }, { instructions: guide });
  registerJudging(server, kernels);
  registerTrying(server, kernels);
  registerLooking(server, kernels, flags.redaction ?? 'statistics');
  registerRuns(server, team);
  if (team !== null) registerTeam(server, team);
  if (flags.allowCommit) registerCommit(server, kernels);
  server.registerPrompt(
    'before_running_cells',
    { title: 'When to ask Grus', description: 'Which tool to call when, while working in a notebook.' },
    () => ({ messages: [{ role: 'user', content: { type: 'text', text: guide } }] }),
  );
  return server;
}
