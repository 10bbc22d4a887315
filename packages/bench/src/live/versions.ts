// Library versions: the wording of an exception is only comparable where the libraries are those it was recorded with.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { GrusError } from '@grus/core';
import { z } from 'zod';
import type { LivePair } from './load.js';

const versionsSchema = z.record(z.string(), z.string());
type Versions = z.infer<typeof versionsSchema>;

/** Distributions that nearly every notebook rests on, named in its `libraries` or not. */
const underneath = ['python', 'ipython', 'numpy'];

/** Says of a pair whether the interpreter has the versions that the folder's `versions.json` names for its libraries. */
export async function sameVersions(folder: string, python: string): Promise<(pair: LivePair) => boolean> {
  const recorded = await recordedVersions(join(folder, 'versions.json'));
  if (recorded === null) return () => true;
  const installed = await installedVersions(python, Object.keys(recorded));
  return (pair) =>
    [...underneath, ...pair.meta.libraries].every((name) => recorded[name] === installed[name]);
}

async function recordedVersions(path: string): Promise<Versions | null> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch {
    return null;
  }
  return parse(text, path);
}

const question = `
import json, sys
from importlib import metadata
def version(name):
    if name == "python":
        return ".".join(map(str, sys.version_info[:2]))
    try:
        return metadata.version(name).split('+')[0]
    except metadata.PackageNotFoundError:
        return ""
print(json.dumps({name: version(name) for name in sys.argv[1:]}))
`;

/** Versions of distributions by name; the empty text for those that are not installed. */
export async function installedVersions(python: string, names: readonly string[]): Promise<Versions> {
  const { stdout } = await promisify(execFile)(python, ['-c', question, ...names]);
  return parse(stdout, `the answer of ${python}`);
}

function parse(text: string, source: string): Versions {
  try {
    return versionsSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new GrusError(`${source} is not a table of versions`, {
      advice: 'It must be a JSON object of names and versions.',
      cause,
    });
  }
}
