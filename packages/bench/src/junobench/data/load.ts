// The benchmark folder: which instances it holds and what is known of each. Files are read when they are asked for.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { GrusError } from '@grus/core';
import { z } from 'zod';
import { fileIfPresent, foldersIn, readJson, readText } from './files.js';
import { type InstanceText, readInstance } from './instance.js';
import {
  answersSchema,
  type Diagnostic,
  diagnosticsSchema,
  type Label,
  labelSchema,
  type PublishedVerdicts,
  publishedSchema,
} from './schemas.js';

/** A model's input: with the recorded runtime information, the code alone, or without one category of the information. */
export const modes = [
  'code+runtime',
  'code',
  'code+runtime-structural',
  'code+runtime-representation',
  'code+runtime-values',
] as const;
export type Mode = (typeof modes)[number];

export interface Instance {
  /** `CASE_reproduced` or `CASE_fixed`. */
  readonly id: string;
  readonly label: Label;
  /** True for `reproduced`: the target cell crashes. */
  readonly crashes: boolean;
}

export class Junobench {
  private constructor(
    readonly data: string,
    readonly instances: readonly Instance[],
  ) {}

  static load(data: string): Junobench {
    const labels = join(data, 'labels.json');
    if (!existsSync(labels))
      throw new GrusError(`${data} holds no labels.json.`, {
        advice: 'Point --data at a folder with labels.json, inputs/ and responses/.',
      });
    const instances = readJson(labels, z.array(labelSchema)).flatMap((label) => [
      { id: `${label.case}_reproduced`, label, crashes: true },
      { id: `${label.case}_fixed`, label, crashes: false },
    ]);
    return new Junobench(data, instances);
  }

  text(instance: Instance, mode: 'code+runtime' | 'code' = 'code+runtime'): InstanceText {
    const path = join(this.data, 'inputs', mode, instance.label.library_group, `${instance.id}.txt`);
    const read = readInstance(readText(path));
    if (read === null)
      throw new GrusError(`${path} has no target cell.`, {
        advice: 'Prepare the file again from the public repository of the benchmark.',
      });
    return read;
  }

  models(): string[] {
    return foldersIn(join(this.data, 'responses'));
  }

  analyzers(): string[] {
    return foldersIn(join(this.data, 'analyzers'));
  }

  /** The recorded answers of one model to one instance; null when none were recorded. */
  answers(model: string, mode: Mode, instance: Instance): readonly unknown[] | null {
    const path = fileIfPresent(this.answersFolder(model, mode), `${instance.id}.json`);
    return path === null ? null : readJson(path, answersSchema);
  }

  /** Where the recorded answers of one model lie, one file per instance. A model can also be a folder elsewhere. */
  answersFolder(model: string, mode: Mode): string {
    return resolve(this.data, 'responses', model, mode);
  }

  diagnostics(analyzer: string, instance: Instance): readonly Diagnostic[] | null {
    const path = fileIfPresent(this.data, 'analyzers', analyzer, `${instance.id}.json`);
    return path === null ? null : readJson(path, diagnosticsSchema);
  }

  published(): PublishedVerdicts | null {
    const path = fileIfPresent(this.data, 'published_verdicts.json');
    return path === null ? null : readJson(path, publishedSchema);
  }
}
