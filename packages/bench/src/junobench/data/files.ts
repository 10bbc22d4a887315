// Reads the benchmark's files with errors that say which file is wrong and what was expected there.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GrusError } from '@grus/core';
import type { z } from 'zod';

export function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new GrusError(`Cannot read ${path}.`, {
      advice: 'Point --data at a folder prepared as the JunoBench layout describes.',
      cause,
    });
  }
}

export function readJson<Schema extends z.ZodType>(path: string, schema: Schema): z.infer<Schema> {
  const text = readText(path);
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw new GrusError(`${path} does not have the expected form.`, {
      advice: 'Prepare the file again from the public repository of the benchmark.',
      cause,
    });
  }
}

export function foldersIn(path: string): string[] {
  if (!existsSync(path)) return [];
  const entries = readdirSync(path, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

export function fileIfPresent(...parts: string[]): string | null {
  const path = join(...parts);
  return existsSync(path) ? path : null;
}
