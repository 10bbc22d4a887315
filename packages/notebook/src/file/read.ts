// Reads a notebook file; every way in which a file can be wrong gets its own line.
import { readFile } from 'node:fs/promises';
import { GrusError } from '@grus/core';
import { documentSchema, type NotebookDocument } from './document.js';

export async function readNotebook(path: string): Promise<NotebookDocument> {
  return parseNotebook(await readText(path), path);
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    if (code === 'ENOENT')
      throw new GrusError(`${path} does not exist`, {
        advice: 'Give the path of a notebook (.ipynb).',
        cause,
      });
    if (code === 'EISDIR')
      throw new GrusError(`${path} is a directory`, {
        advice: 'Give the path of a notebook (.ipynb).',
        cause,
      });
    throw new GrusError(`${path} cannot be read (${code})`, {
      advice: 'Check the permissions of the file.',
      cause,
    });
  }
}

export function parseNotebook(text: string, path: string): NotebookDocument {
  const raw = parseJson(text, path);
  const version = (raw as { nbformat?: unknown } | null)?.nbformat;
  if (typeof version === 'number' && version < 4) {
    throw new GrusError(`${path} is in notebook format ${version}`, {
      advice: `Convert it first: jupyter nbconvert --to notebook --nbformat 4 ${path}`,
    });
  }
  if (typeof version === 'number' && version > 4) {
    throw new GrusError(`${path} is in notebook format ${version}, newer than this Grus knows`, {
      advice: 'Update Grus.',
    });
  }
  const parsed = documentSchema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const where = issue && issue.path.length > 0 ? ` (${issue.path.join('.')}: ${issue.message})` : '';
  throw new GrusError(`${path} is not a Jupyter notebook${where}`, {
    advice: 'Give a notebook (.ipynb) in format 4.',
  });
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const what = text.trim() === '' ? 'is empty' : 'is not JSON';
    throw new GrusError(`${path} ${what}`, {
      advice: 'Give a notebook (.ipynb); save it again if it was cut off.',
      cause,
    });
  }
}
