// The scaffold of a check: files where the tests look for them, a registry that still lists every check once.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { newCheck } from '../lib/new-check.mjs';

const registry = readFileSync(
  fileURLToPath(new URL('../../packages/notebook/src/checks/registry.ts', import.meta.url)),
  'utf8',
);

describe('a new check', () => {
  it('gets a source, cases that fail until they are written, and its lines in the registry', () => {
    const made = newCheck('labels/odd-label', registry);
    expect(Object.keys(made.files)).toEqual([
      'packages/notebook/src/checks/labels/odd-label.ts',
      'packages/notebook/test/checks/cases/labels/odd-label.ts',
    ]);
    const [source, cases] = Object.values(made.files);
    for (const section of ['# Odd label', '## What', '## Why it crashes', '## Example', '## Fix'])
      expect(source).toContain(` * ${section}`);
    expect(source).toContain("id: 'labels/odd-label'");
    expect(cases).toContain("check: 'labels/odd-label'");
    expect(cases).toContain('NotImplementedError');
    expect(made.registry).toContain("import oddLabel from './labels/odd-label.js';");
    expect(made.registry).toContain('\n  oddLabel,\n];');
    expect(made.registry.split('\n')).toHaveLength(registry.split('\n').length + 2);
  });

  it('is refused an id that is taken or is none', () => {
    expect(() => newCheck('labels/missing-key', registry)).toThrow('already');
    for (const id of ['', 'labels', 'Labels/x', 'a/b/c', '../x/y'])
      expect(() => newCheck(id, registry)).toThrow('no id');
  });
});
