// The options of a check of many notebooks: how many at once, which part of them, and how they are told.
import { GrusError } from '@grus/core';
import type { Command } from 'commander';
import { choicesOf, countOption } from './values.js';

export type FormatName = 'text' | 'json' | 'sarif' | 'junit' | 'github' | 'markdown';
const formats = choicesOf<FormatName>({
  text: true,
  json: true,
  sarif: true,
  junit: true,
  github: true,
  markdown: true,
});

export interface Format {
  readonly name: FormatName;
  /** Where it is written; null for stdout. */
  readonly file: string | null;
}

export interface Shard {
  /** Counted from 1. */
  readonly index: number;
  readonly count: number;
}

export interface PipelineOptions {
  readonly jobs?: number;
  readonly shard?: Shard;
  /** Judge whole notebooks with training cut short in copies, past crashes. */
  readonly rehearse?: boolean;
  /** Names, syntax and imports alone, without a kernel. */
  readonly quick?: boolean;
  /** Let the workers of the server of GRUS_SERVER judge them. */
  readonly fleet?: boolean;
  readonly project?: string;
  readonly format?: readonly Format[];
}

export function withPipelineOptions(command: Command): Command {
  return command
    .option(
      '--rehearse',
      'judge the whole notebook with training cut short in copies, and go on after a crash with what does not depend on it',
    )
    .option('--quick', 'start no kernel: find only undefined names, missing modules and syntax errors')
    .option(
      '--fleet',
      'let workers judge the notebooks, which they must see under the same paths; the server is in GRUS_SERVER, the token in GRUS_TOKEN',
    )
    .option(
      '--project <name>',
      'with --fleet: the project on the server (default: GRUS_PROJECT, else default)',
    )
    .option('--jobs <n>', 'kernels at once (default: one per processor, at most 4)', countOption('--jobs'))
    .option('--shard <i/n>', 'check the i-th of n parts; a notebook is always in the same part', shard)
    .option(...formatOption);
}

export const formatOption = [
  '--format <format[=file]>',
  `output format: ${formats.join(', ')}; may be repeated, each into a file or one to stdout (default text)`,
  format,
] as const;

function shard(text: string): Shard {
  const [, index, count] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
  const wanted = { index: Number(index), count: Number(count) };
  if (wanted.index >= 1 && wanted.index <= wanted.count) return wanted;
  throw new GrusError(`--shard ${text} is no part`, { advice: 'Write --shard 1/4 to --shard 4/4 for four.' });
}

function format(text: string, before: readonly Format[] = []): Format[] {
  const [, name, file] = /^([a-z]+)(?:=(.+))?$/s.exec(text) ?? [];
  const known = formats.find((candidate) => candidate === name);
  if (!known)
    throw new GrusError(`--format ${text} is not known`, {
      advice: `Choose one of ${formats.join(', ')}, with =FILE to write it into a file.`,
    });
  return [...before, { name: known, file: file ?? null }];
}
