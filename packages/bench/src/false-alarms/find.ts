// Finds what a source distribution holds of examples: scripts of galleries and tutorials, notebooks, and files whose text
// has interactive sessions. Tests, benchmarks and vendored code are not what people write in notebooks.
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';

export type ExampleKind = 'notebook' | 'script' | 'session';

export interface ExampleFile {
  readonly kind: ExampleKind;
  /** Relative to the sources, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

const exampleFolders =
  /^_?(examples?|galler(y|ies)|tutorials?|demos?|guides?|plot_types|users_explain|notebooks)$/i;
const otherFolders =
  /^(_?tests?|testing|benchmarks?|archive|build|tools|ci|extern|external_libs|vendored?|subprojects|node_modules|.*\.egg-info|\..*)$/i;
const texts = new Set(['.rst', '.md', '.txt']);

/** All examples in the order of their paths. */
export async function findExamples(sources: string): Promise<ExampleFile[]> {
  const examples: ExampleFile[] = [];
  for (const path of await filesBelow(sources, '')) {
    const extension = extname(path);
    if (extension !== '.py' && extension !== '.ipynb' && !texts.has(extension)) continue;
    const text = await readFile(join(sources, path), 'utf8');
    const kind = kindOf(path, extension, text);
    if (kind !== null) examples.push({ kind, path, text });
  }
  return examples;
}

function kindOf(path: string, extension: string, text: string): ExampleKind | null {
  if (extension === '.ipynb') return 'notebook';
  if (extension === '.py' && path.split('/').slice(0, -1).some(isExampleFolder)) return 'script';
  return /^\s*>>> /m.test(text) ? 'session' : null;
}

function isExampleFolder(name: string): boolean {
  return exampleFolders.test(name);
}

async function filesBelow(root: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true });
  const files: string[] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory() && !otherFolders.test(entry.name)) files.push(...(await filesBelow(root, path)));
    else if (entry.isFile()) files.push(path);
  }
  return files;
}
