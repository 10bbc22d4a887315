// The work of `grus mcp`: tools for coding agents over standard input and output.
import type { RedactionLevel } from '@grus/core';
import { closeAllKernels } from '@grus/kernel';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { version } from '../generated/version.js';
import type { KernelOptions } from '../options/kernel.js';
import { guide } from './guide.js';
import { registerJudging } from './judging.js';
import { Kernels } from './kernels.js';
import { registerLooking } from './looking.js';
import { registerCommit, registerTrying } from './running.js';

export interface McpFlags extends KernelOptions {
  /** Offer the tool that runs code in the kernel itself. */
  readonly allowCommit?: boolean;
  readonly redaction?: RedactionLevel;
}

export async function serveMcp(flags: McpFlags): Promise<void> {
  const kernels = new Kernels(flags);
  const ended = new Promise<void>((resolve) => process.stdin.once('end', resolve).once('close', resolve));
  serveStdio(() => serverOf(kernels, flags));
  await ended;
  await closeAllKernels();
}

function serverOf(kernels: Kernels, flags: McpFlags): McpServer {
  const server = new McpServer({ name: 'grus', version }, { instructions: guide });
  registerJudging(server, kernels);
  registerTrying(server, kernels);
  registerLooking(server, kernels, flags.redaction ?? 'statistics');
  if (flags.allowCommit) registerCommit(server, kernels);
  server.registerPrompt(
    'before_running_cells',
    { title: 'When to ask Grus', description: 'Which tool to call when, while working in a notebook.' },
    () => ({ messages: [{ role: 'user', content: { type: 'text', text: guide } }] }),
  );
  return server;
}
