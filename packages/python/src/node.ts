// The part that needs Node: finds tree-sitter's WebAssembly files among the installed packages.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createTreeSitterWitness } from './syntax/tree-sitter.js';
import type { SyntaxWitness } from './syntax/witness.js';

let loading: Promise<SyntaxWitness> | null = null;

/** The tree-sitter witness, loaded once a process. */
export function loadSyntaxWitness(): Promise<SyntaxWitness> {
  loading ??= load();
  return loading;
}

async function load(): Promise<SyntaxWitness> {
  const { resolve } = createRequire(import.meta.url);
  const [runtime, grammar] = await Promise.all([
    readFile(resolve('web-tree-sitter/web-tree-sitter.wasm')),
    readFile(resolve('tree-sitter-python/tree-sitter-python.wasm')),
  ]);
  return createTreeSitterWitness({ runtime, grammar });
}
