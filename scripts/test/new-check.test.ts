// The scaffold of a check: files where the tests and the registry look for them.
import { describe, expect, it } from 'vitest';
import { newCheck } from '../lib/new-check.mjs';

describe('a new check', () => {
  it('gets a source, and cases that fail until they are written', () => {
    const files = newCheck('labels/odd-label');
    expect(Object.keys(files)).toEqual([
      'packages/notebook/src/checks/labels/odd-label.ts',
      'packages/notebook/test/checks/cases/labels/odd-label.ts',
    ]);
    const [source, cases] = Object.values(files);
    for (const section of ['# Odd label', '## What', '## Why it crashes', '## Example', '## Fix'])
      expect(source).toContain(` * ${section}`);
    expect(source).toContain("id: 'labels/odd-label'");
    expect(source).toMatch(/^export default defineCheck\(/m);
    expect(cases).toContain("check: 'labels/odd-label'");
    expect(cases).toContain('NotImplementedError');
  });

  it('is refused an id that is none', () => {
    for (const id of ['', 'labels', 'Labels/x', 'a/b/c', '../x/y'])
      expect(() => newCheck(id)).toThrow('no id');
  });
});
