// The GitHub Action as a runner runs it: its steps' own scripts, with its inputs as the environment, on a real notebook.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { entry, notebook, python, scratch } from '../grus.js';

interface Step {
  readonly name: string;
  readonly run: string;
  readonly env: Readonly<Record<string, string>>;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

const file = join(import.meta.dirname, '..', '..', '..', '..', 'action.yml');
const toJson = 'import json, sys, yaml; print(json.dumps(yaml.safe_load(open(sys.argv[1]))))';
const action: Action = JSON.parse(execFileSync(python, ['-c', toJson, file]).toString());

it('checks, annotates, and leaves a summary and a SARIF file', () => {
  const folder = scratch();
  notebook(folder, ['x = 1', 'print(y)'], {}, 'notes/a b.ipynb');
  const temporary = join(folder, 'runner');
  mkdirSync(temporary);
  // The command as an installation puts it on the PATH.
  writeFileSync(join(temporary, 'grus'), `#!/bin/sh\nexec "${process.execPath}" "${entry}" "$@"\n`);
  chmodSync(join(temporary, 'grus'), 0o755);
  const given: Readonly<Record<string, string>> = { paths: 'notes/a b.ipynb\nnotes\n', python };
  const runner = {
    PATH: `${temporary}:${process.env['PATH']}`,
    HOME: folder,
    RUNNER_TEMP: temporary,
    GITHUB_STEP_SUMMARY: join(temporary, 'summary.md'),
    GITHUB_OUTPUT: join(temporary, 'output'),
  };
  const results = action.runs.steps.map(({ run, env }) => {
    const inputs = Object.entries(env).map(([name, expression]) => {
      const [, input] = /^\$\{\{ inputs\.(\w+) \}\}$/.exec(expression)!;
      return [name, given[input!] ?? action.inputs[input!]!.default];
    });
    const script = ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c', run];
    return spawnSync('bash', script, { cwd: folder, env: { ...runner, ...Object.fromEntries(inputs) } });
  });
  expect(results.map(({ status }) => status)).toEqual([0, 1]);
  const log = results[1]!.stdout.toString();
  expect(log).toContain('✗ notes/a b.ipynb cell 2 would crash: NameError');
  expect(log).toMatch(/^::error file=notes\/a b\.ipynb,line=\d+,title=cell 2 would crash::NameError/m);
  expect(readFileSync(runner.GITHUB_STEP_SUMMARY, 'utf8')).toContain('1 notebook: 1 would crash');
  const [, sarif] = /^sarif=(.*)$/m.exec(readFileSync(runner.GITHUB_OUTPUT, 'utf8'))!;
  expect(existsSync(sarif!)).toBe(true);
});
