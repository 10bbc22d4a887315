// A scripted agent over live pairs, through MCP with the SDK's client: it asks about each cell before it runs it, and does not
// run what is called certain to crash. Beside it, the length of the traceback that it would have read, from a kernel of its own.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { z } from 'zod';
import { type LivePair, loadPairs, type PairVersion, pairVersions } from '../live/load.js';
import { withScratchKernel } from '../live/scratch-kernel.js';

export interface AgentRun {
  readonly instance: string;
  /** Cells that were run in the kernel. */
  readonly executed: number;
  /** Cells of which a crash was called certain; none of them was run. */
  readonly held: number;
  /** A cell that was run and raised, though nothing had been said. */
  readonly crashed: number;
  /** Whether the held cell is the one that crashes, or the notebook was rightly let through. */
  readonly right: boolean;
  /**
   * Characters that the agent read before it knew of the crash: in all answers of Grus up to it, in the last of them, and in the
   * traceback as tools that run cells for agents return it: whole, without colours.
   */
  readonly asked_characters: number;
  readonly held_characters: number | null;
  readonly traceback_characters: number | null;
}

export interface AgentReport {
  readonly benchmark: 'agent';
  readonly runs: readonly AgentRun[];
}

export interface AgentOptions {
  /** The file that Node runs as `grus`. */
  readonly entry: string;
  readonly python: string;
  readonly data: string;
  readonly every: number;
  readonly progress?: (text: string) => void;
}

const timeout = 300_000;

const answerSchema = z.object({
  content: z.array(z.object({ text: z.string().optional() })),
  structuredContent: z.object({ data: z.record(z.string(), z.unknown()) }).optional(),
});

const nothingHeld = { held: 0, held_characters: null, traceback_characters: null };

export async function runAgent({ data, every, progress, ...options }: AgentOptions): Promise<AgentReport> {
  const pairs = (await loadPairs(data)).filter((_, index) => index % every === 0);
  const runs: AgentRun[] = [];
  for (const [index, pair] of pairs.entries())
    for (const version of pairVersions) {
      progress?.(`${index + 1} of ${pairs.length}: ${pair.id}/${version}`);
      runs.push(await walk(pair, version, options));
    }
  return { benchmark: 'agent', runs };
}

async function walk(
  pair: LivePair,
  version: PairVersion,
  { entry, python }: Pick<AgentOptions, 'entry' | 'python'>,
): Promise<AgentRun> {
  const folder = await mkdtemp(join(tmpdir(), 'grus-agent-'));
  const client = new Client({ name: 'bench', version: '1' });
  const environment = { OMP_NUM_THREADS: '1', TF_CPP_MIN_LOG_LEVEL: '3', CUDA_VISIBLE_DEVICES: '' };
  const { PATH = '', HOME = folder } = process.env;
  const env = { PATH, HOME, GRUS_PYTHON: python, ...environment };
  const args = [entry, 'mcp', '--allow-commit'];
  const call = async (name: string, code: string) => {
    const answer = answerSchema.parse(await client.callTool({ name, arguments: { code } }, { timeout }));
    const text = answer.content.map((part) => part.text ?? '').join('');
    return { text, data: answer.structuredContent?.data ?? {} };
  };
  try {
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env, cwd: folder }));
    let [executed, asked] = [0, 0];
    for (const [index, { source }] of pair.cells[version].entries()) {
      const isTarget = index === pair.meta.target_cell;
      const check = await call('check_cell', source);
      asked += check.text.length;
      const shared = { instance: `${pair.id}/${version}`, asked_characters: asked };
      if (check.data['outcome'] === 'crash') {
        const right = version === 'buggy' && isTarget;
        const sources = pair.cells[version].slice(0, index + 1).map((cell) => cell.source);
        return {
          ...{ ...shared, executed, held: 1, crashed: 0, right, held_characters: check.text.length },
          traceback_characters: await tracebackLength(sources, python),
        };
      }
      const { data } = await call('commit', source);
      executed += 1;
      if (data['status'] !== 'ok') {
        const right = false;
        return { ...shared, ...nothingHeld, executed, crashed: 1, right };
      }
      if (isTarget) break;
    }
    const right = version === 'fixed';
    const instance = `${pair.id}/${version}`;
    return { ...nothingHeld, instance, executed, crashed: 0, right, asked_characters: asked };
  } finally {
    await client.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Null when nothing is raised. */
function tracebackLength(sources: readonly string[], python: string): Promise<number | null> {
  return withScratchKernel(python, async (kernel) => {
    for (const source of sources) {
      const { error } = await kernel.execute(source, { timeout });
      if (error) return stripVTControlCharacters(error.traceback.join('\n')).length;
    }
    return null;
  });
}
