// What a command loads before it does anything: a stray import of the ladder would cost every start a fifth of a second. And how it starts:
// without a parser where there is nothing to parse, and with what V8 compiled before.
import { spawnSync } from 'node:child_process';
import {
  chownSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import module from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';

const bundle = join(import.meta.dirname, '..', 'dist', 'bundle');
const cli = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'grus-start-'));
const cache = join(folder, 'cache');
const log = join(folder, 'train.log');

function grus(program: string, ...args: string[]) {
  return grusWith(cache, program, ...args);
}

function grusWith(home: string, program: string, ...args: string[]) {
  const env = { ...process.env, XDG_CACHE_HOME: home };
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(program, 'bin', 'grus.cjs'), ...args],
    {
      encoding: 'utf8',
      env,
    },
  );
  return { status, stdout: stdout.replace(/"ms": [\d.]+/g, '"ms": 0'), stderr };
}

beforeAll(() => {
  writeFileSync(
    log,
    'step 1 loss 2.1\nTraceback (most recent call last):\n  File "t.py", line 1, in <module>\nRuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB\n',
  );
  // As it is installed: nothing compiled lies beside the bundle.
  for (const name of ['bin', 'dist/bundle'])
    cpSync(join(cli, name), join(folder, name), {
      recursive: true,
      filter: (path) => !/\.(?:compiled|map)$/.test(path),
    });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([[], ['--json']])('a path alone is diagnosed as with options %s', (...more) => {
  const plain = grus(cli, 'diagnose', log, ...more);
  expect(plain.status).toBe(1);
  expect(plain).toEqual(grus(cli, 'diagnose', log, ...more, '--method', 'hybrid'));
});

test('what cannot be read is one line, with and without options', () => {
  const missing = grus(cli, 'diagnose', join(folder, 'none.log'));
  expect(missing.status).toBe(2);
  expect(missing.stderr).toMatch(/^grus: .*\n$/);
  expect(grus(cli, 'diagnose', join(folder, 'none.log'), '--method', 'hybrid')).toEqual(missing);
});

// From Node 22 on, Node keeps it itself.
test.skipIf('enableCompileCache' in module)('an installed Grus keeps what V8 compiled', () => {
  const first = grus(folder, 'diagnose', log);
  expect(first.status).toBe(1);
  const kept = join(cache, 'grus', 'compiled');
  const states = () => readdirSync(kept).map((name) => `${name} ${statSync(join(kept, name)).mtimeMs}`);
  const before = states();
  expect(before).toHaveLength(2);
  expect(grus(folder, 'diagnose', log)).toEqual(first);
  expect(states()).toEqual(before);

  // Where nothing can be kept, the answer is the same.
  expect(grusWith('/proc/none', folder, 'diagnose', log)).toEqual(first);
  expect(grusWith(join(folder, 'not', 'there'), folder, 'diagnose', log)).toEqual(first);

  // What V8 does not take is made anew.
  const [name = ''] = readdirSync(kept);
  writeFileSync(join(kept, name), 'nothing of V8');
  expect(grus(folder, 'diagnose', log)).toEqual(first);
  expect(readFileSync(join(kept, name)).length).toBeGreaterThan(1000);
});

// Only root can give a file away, and is who must not run another's.
test.skipIf('enableCompileCache' in module || process.getuid?.() !== 0)(
  'what another user kept is not run, but made anew',
  () => {
    const first = grus(folder, 'diagnose', log);
    const kept = join(cache, 'grus', 'compiled');
    const [name = ''] = readdirSync(kept);
    chownSync(join(kept, name), 65_534, 65_534);
    expect(grus(folder, 'diagnose', log)).toEqual(first);
    expect(statSync(join(kept, name)).uid).toBe(0);
  },
);

describe('at its start', () => {
  it('the command line loads itself alone', () => {
    const loaded = loadedBy('main.cjs');
    expect(loaded.size).toBeGreaterThan(3);
    expect(bytesOf(loaded)).toBeLessThan(20_000);
  });

  it('a diagnosis loads the readers and detectors, but neither kernels nor models', () => {
    const main = readFileSync(join(bundle, 'main.cjs'), 'utf8');
    const [, job] = /require\("\.\/(diagnose-[^"]+)"\)/.exec(main) ?? [];
    const loaded = loadedBy(job!);
    expect(loaded.size).toBeGreaterThan(3);
    expect([...loaded.values()].join('\n')).not.toMatch(/zeromq|ZodObject/);
    expect(bytesOf(loaded)).toBeLessThan(705_000);
  });
});

/** Everything that a file of the bundle imports at once, by name. */
function loadedBy(file: string, found = new Map<string, string>()): Map<string, string> {
  if (found.has(file)) return found;
  const text = readFileSync(join(bundle, file), 'utf8');
  found.set(file, text);
  // What is asked for later stands in a function, not in a variable.
  for (const [, next] of text.matchAll(/\bvar [\w$]+=(?:[\w$]+\()?require\("\.\/([^"]+\.cjs)"\)/g))
    loadedBy(next!, found);
  return found;
}

function bytesOf(files: ReadonlyMap<string, string>): number {
  return [...files.values()].reduce((sum, text) => sum + text.length, 0);
}
