// Replays answers that were recorded: a folder with one JSON file per question, which holds the list of its answers. The
// file is named after the question's own name or after its content. Runs everything end to end without a network.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { GrusError } from '@grus/core';
import { z } from 'zod';
import { ModelFailure } from './failure.js';
import { readIfThere } from './files.js';
import { questionKey } from './key.js';
import { type Model, type ModelRequest, noUsage } from './model.js';

const answersSchema = z.array(z.unknown());

export function recordedModel(folder: string): Model {
  if (!existsSync(folder))
    throw new GrusError(`there are no recorded answers in ${folder}`, {
      advice: 'Name a folder that `grus llm record` wrote.',
    });
  return {
    name: `recorded:${folder}`,
    async ask(request) {
      const started = performance.now();
      const answer = (await recordedAnswers(folder, request))[request.vote];
      if (answer === undefined)
        throw new ModelFailure('not-recorded', `no answer to this question is recorded in ${folder}`, {
          advice: 'Record it with `grus llm record`, or ask a live model.',
        });
      const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
      return { text, usage: noUsage, ms: performance.now() - started, replayed: true };
    },
  };
}

export async function recordedAnswers(folder: string, request: ModelRequest): Promise<readonly unknown[]> {
  for (const name of [request.name, questionKey(request)]) {
    if (name === undefined || !/^[\w.+-]+$/.test(name)) continue;
    const path = join(folder, `${name}.json`);
    const text = await readIfThere(path);
    if (text === null) continue;
    const parsed = answersSchema.safeParse(parseJson(text));
    if (parsed.success) return parsed.data;
    throw new GrusError(`${path} is no list of answers`, { advice: 'Record the answers again.' });
  }
  return [];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
