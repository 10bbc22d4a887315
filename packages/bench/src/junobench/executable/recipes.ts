// What the repository knows of single cases: edits for today's libraries, and cases that no synthetic data can make run.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GrusError } from '@grus/core';
import { z } from 'zod';
import type { Edits } from './stage.js';

const schema = z.object({
  /** For every case. */
  edits: z.array(z.tuple([z.string(), z.string()])),
  cases: z.record(
    z.string(),
    z.object({
      edits: z.array(z.tuple([z.string(), z.string()])).default([]),
      /** Why the case is not run. */
      not_run: z.string().optional(),
    }),
  ),
});

export class Recipes {
  private constructor(
    readonly folder: string,
    private readonly table: z.infer<typeof schema>,
  ) {}

  static async load(folder: string): Promise<Recipes> {
    const path = join(folder, 'cases.json');
    try {
      return new Recipes(folder, schema.parse(JSON.parse(await readFile(path, 'utf8'))));
    } catch (cause) {
      throw new GrusError(`${path} cannot be read`, {
        advice: 'Run this in a checkout of Grus, or name the folder with --recipes.',
        cause,
      });
    }
  }

  editsOf(name: string): Edits {
    return [...this.table.edits, ...(this.table.cases[name]?.edits ?? [])];
  }

  notRun(name: string): string | null {
    return this.table.cases[name]?.not_run ?? null;
  }
}
