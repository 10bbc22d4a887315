// The corpus as notebooks in the cache: sources are downloaded and converted once for each version of a package.
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  type CodeCell,
  codeCells,
  languageOf,
  parseNotebook,
  readNotebook,
  writeNotebook,
} from '@grus/notebook';
import { cellsOfScript } from './convert/script.js';
import { cellsOfDocstrings, cellsOfPage } from './convert/session.js';
import { type ExampleFile, findExamples } from './find.js';
import { customaryImportsOf, type PackageVersion } from './packages.js';
import { fetchSources } from './sources.js';

export interface CorpusNotebook {
  /** `PACKAGE-VERSION/PATH`, the path as in the source distribution. */
  readonly name: string;
  readonly file: string;
}

export interface CorpusOptions {
  readonly packages: readonly PackageVersion[];
  readonly python: string;
  readonly cache: string;
  readonly progress?: (text: string) => void;
}

/** The notebooks of each package in the order of their names. */
export async function prepareCorpus(options: CorpusOptions): Promise<CorpusNotebook[][]> {
  const corpus: CorpusNotebook[][] = [];
  for (const each of options.packages) {
    const name = `${each.name}-${each.version}`;
    const folder = join(options.cache, 'notebooks', name);
    const files = (await listed(folder)) ?? (await convert(each, folder, options));
    corpus.push(
      files.map((path) => ({ name: `${name}/${path.slice(0, -suffix.length)}`, file: join(folder, path) })),
    );
  }
  return corpus;
}

export async function cellsOf(notebook: CorpusNotebook): Promise<CodeCell[]> {
  return codeCells(await readNotebook(notebook.file)).filter(({ source }) => source.trim() !== '');
}

const suffix = '.ipynb';

async function convert(
  each: PackageVersion,
  folder: string,
  { python, cache, progress }: CorpusOptions,
): Promise<string[]> {
  progress?.(`downloading ${each.name} ${each.version}`);
  const sources = await fetchSources(each, python, cache);
  progress?.(`converting ${each.name} ${each.version}`);
  const part = `${folder}.part`;
  await rm(part, { recursive: true, force: true });
  await mkdir(part, { recursive: true });
  for (const example of await findExamples(sources)) {
    const cells = cellsOfExample(example, each.name);
    if (cells.length === 0) continue;
    const file = join(part, `${example.path}${suffix}`);
    await mkdir(dirname(file), { recursive: true });
    await writeNotebook(file, documentOf(cells));
  }
  await rename(part, folder);
  return (await listed(folder))!;
}

function cellsOfExample({ kind, path, text }: ExampleFile, packageName: string): string[] {
  if (kind === 'notebook') return cellsOfNotebook(text, path);
  if (kind === 'script') return cellsOfScript(text);
  const cells = path.endsWith('.py') ? cellsOfDocstrings(text) : cellsOfPage(text);
  return cells.length === 0 ? [] : [...customaryImportsOf(packageName), ...cells];
}

/** Old formats and other languages are no examples that could run. */
function cellsOfNotebook(text: string, path: string): string[] {
  try {
    const document = parseNotebook(text, path);
    return languageOf(document) === 'python' ? codeCells(document).map(({ source }) => source) : [];
  } catch {
    return [];
  }
}

function documentOf(cells: readonly string[]) {
  return {
    nbformat: 4 as const,
    nbformat_minor: 5,
    metadata: { language_info: { name: 'python' } },
    cells: cells.map((source, index) => ({
      cell_type: 'code',
      id: `cell-${index + 1}`,
      execution_count: null,
      metadata: {},
      outputs: [],
      source,
    })),
  };
}

async function listed(folder: string): Promise<string[] | null> {
  try {
    const entries = await readdir(folder, { recursive: true });
    return entries
      .map((entry) => entry.replaceAll('\\', '/'))
      .filter((entry) => entry.endsWith(suffix))
      .sort();
  } catch {
    return null;
  }
}
