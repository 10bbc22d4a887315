// Every check keeps the house rules: a file named by its id, a doc block with the fixed sections, and a fixture whose
// crash and healthy twin really run in a kernel.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { checks } from '../../src/checks/registry.js';

const source = fileURLToPath(new URL('../../src/checks', import.meta.url));
const tests = fileURLToPath(new URL('..', import.meta.url));
const sections = ['# ', '## What', '## Why it crashes', '## Example', '## Fix', '## When it stays silent'];

const fixtures = readdirSync(tests, { recursive: true, encoding: 'utf8' })
  .filter((name) => /cases\/.*\.ts$/.test(name.replaceAll('\\', '/')))
  .map((name) => readFileSync(join(tests, name), 'utf8'))
  .join('\n');

describe('checks', () => {
  it('have ids of their own', () => {
    const ids = checks.map((check) => check.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThanOrEqual(60);
  });

  it.each(checks.map((check) => check.id))('%s has a file of its name, documentation and a fixture', (id) => {
    const file = join(source, `${id}.ts`);
    expect(existsSync(file), `${id}.ts exists`).toBe(true);
    const text = readFileSync(file, 'utf8');
    const doc = /\/\*\*([\s\S]*?)\*\//.exec(text)?.[1] ?? '';
    for (const section of sections) expect(doc, `section "${section}"`).toContain(`* ${section}`);
    // The names rung is proven case by case in test/names.
    if (!id.startsWith('names/'))
      expect(fixtures.includes(`'${id}'`), 'a fixture names the check').toBe(true);
  });
});
