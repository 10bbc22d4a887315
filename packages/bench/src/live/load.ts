// Reads a folder of live pairs: `<id>/{buggy,fixed}.ipynb` and `<id>/meta.json`.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GrusError } from '@grus/core';
import { type CodeCell, codeCells, readNotebook } from '@grus/notebook';
import { metaSchema, type PairMeta } from './meta.js';

export type PairVersion = 'buggy' | 'fixed';
export const pairVersions: readonly PairVersion[] = ['buggy', 'fixed'];

export interface LivePair {
  readonly id: string;
  readonly meta: PairMeta;
  readonly cells: Readonly<Record<PairVersion, readonly CodeCell[]>>;
}

const layout = 'Give a folder of pairs: <id>/buggy.ipynb, <id>/fixed.ipynb and <id>/meta.json.';

/** All pairs of the folder in the order of their ids; with `only`, those ids. */
export async function loadPairs(folder: string, only?: readonly string[]): Promise<LivePair[]> {
  const ids = await pairIds(folder);
  const unknown = only?.find((id) => !ids.includes(id));
  if (unknown !== undefined)
    throw new GrusError(`${folder} has no pair ${unknown}`, { advice: `It has ${ids.length} pairs.` });
  const wanted = only === undefined ? ids : ids.filter((id) => only.includes(id));
  return Promise.all(wanted.map((id) => loadPair(folder, id)));
}

async function pairIds(folder: string): Promise<string[]> {
  let entries: import('node:fs').Dirent[];
  try {
    entries = await readdir(folder, { withFileTypes: true });
  } catch (cause) {
    throw new GrusError(`${folder} cannot be read`, { advice: layout, cause });
  }
  const ids = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'));
  if (ids.length === 0) throw new GrusError(`${folder} holds no pairs`, { advice: layout });
  return ids.map((entry) => entry.name).sort();
}

async function loadPair(folder: string, id: string): Promise<LivePair> {
  const meta = await readMeta(join(folder, id, 'meta.json'));
  const [buggy, fixed] = await Promise.all(
    pairVersions.map(async (version) => codeCells(await readNotebook(join(folder, id, `${version}.ipynb`)))),
  );
  const pair: LivePair = { id, meta, cells: { buggy: buggy!, fixed: fixed! } };
  for (const version of pairVersions) targetCell(pair, version);
  return pair;
}

async function readMeta(path: string): Promise<PairMeta> {
  let raw: unknown;
  try {
    raw = JSON.parse(await readFile(path, 'utf8'));
  } catch (cause) {
    throw new GrusError(`${path} is missing or is not JSON`, { advice: layout, cause });
  }
  const parsed = metaSchema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  throw new GrusError(`${path} is wrong at ${issue.path.join('.')}: ${issue.message}`, {
    advice: 'It needs target_cell, exception, message and line.',
    cause: parsed.error,
  });
}

export function targetCell(pair: LivePair, version: PairVersion): CodeCell {
  const cells = pair.cells[version];
  const cell = cells[pair.meta.target_cell];
  if (cell) return cell;
  throw new GrusError(
    `${pair.id}/${version}.ipynb has ${cells.length} code cells, target_cell ${pair.meta.target_cell} is not among them`,
    { advice: 'Count target_cell from 0 among the code cells.' },
  );
}
