// What a command loads before it does anything: a stray import of the ladder would cost every start a fifth of a second.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const bundle = join(import.meta.dirname, '..', 'dist', 'bundle');

describe('at its start', () => {
  it('the command line loads itself alone', () => {
    const loaded = loadedBy('main.cjs');
    expect(loaded.size).toBeGreaterThan(3);
    expect(bytesOf(loaded)).toBeLessThan(250_000);
  });

  it('a diagnosis loads the readers and detectors, but neither kernels nor models', () => {
    const main = readFileSync(join(bundle, 'main.cjs'), 'utf8');
    const [, job] = /require\("\.\/(diagnose-[^"]+)"\)/.exec(main) ?? [];
    const loaded = loadedBy(job!);
    expect(loaded.size).toBeGreaterThan(3);
    expect([...loaded.values()].join('\n')).not.toMatch(/zeromq|ZodObject/);
    // A tenth of it are the words by which patterns are passed over.
    expect(bytesOf(loaded)).toBeLessThan(1_140_000);
  });
});

/** Everything that a file of the bundle imports at once, by name. */
function loadedBy(file: string, found = new Map<string, string>()): Map<string, string> {
  if (found.has(file)) return found;
  const text = readFileSync(join(bundle, file), 'utf8');
  found.set(file, text);
  // What is asked for later stands in a function, not in a variable.
  for (const [, next] of text.matchAll(/\bvar \w+=(?:\w+\()?require\("\.\/([^"]+\.cjs)"\)/g))
    loadedBy(next!, found);
  return found;
}

function bytesOf(files: ReadonlyMap<string, string>): number {
  return [...files.values()].reduce((sum, text) => sum + text.length, 0);
}
