// Grus as code hosts and pre-commit run it: the scripts of the action, of the pages and of the hooks themselves, on a real
// repository with one notebook that would crash.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { entry, notebook, python, scratch } from '../grus.js';

const root = join(import.meta.dirname, '..', '..', '..', '..');
const page = readFileSync(join(root, 'docs', 'pipelines.md'), 'utf8');

/** A repository with notebooks, and the command as an installation puts it on the PATH. */
function repository() {
  const folder = scratch();
  notebook(folder, ['x = 1', 'print(y)'], {}, 'notebooks/a b.ipynb');
  const tools = join(folder, '.tools');
  mkdirSync(tools);
  writeFileSync(join(tools, 'grus'), `#!/bin/sh\nexec "${process.execPath}" "${entry}" "$@"\n`);
  chmodSync(join(tools, 'grus'), 0o755);
  const env = { PATH: `${tools}:${process.env['PATH']}`, HOME: scratch(), GRUS_PYTHON: python };
  return { folder, tools, env };
}

function fromYaml<Content>(text: string): Content {
  const toJson = 'import json, sys, yaml; print(json.dumps(yaml.safe_load(sys.stdin)))';
  return JSON.parse(execFileSync(python, ['-c', toJson], { input: text }).toString());
}

/** The code under a heading of the page. */
function example(heading: string): string {
  const [, code] = new RegExp(`^## ${heading}\\n[\\s\\S]*?^\`\`\`\\w+\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(
    page,
  )!;
  return code!;
}

function inShell(lines: readonly string[], cwd: string, env: Readonly<Record<string, string>>) {
  return lines.map((line) => spawnSync('sh', ['-e', '-c', line], { cwd, env }).status);
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly runs: { readonly steps: readonly { run: string; env: Readonly<Record<string, string>> }[] };
}

it('annotates, and leaves a summary and a SARIF file, as an action of GitHub', () => {
  const { folder, tools, env: user } = repository();
  const action = fromYaml<Action>(readFileSync(join(root, 'action.yml'), 'utf8'));
  const given: Readonly<Record<string, string>> = { paths: 'notebooks/a b.ipynb\nnotebooks\n', python };
  const runner = {
    ...user,
    RUNNER_TEMP: tools,
    GITHUB_STEP_SUMMARY: join(tools, 'summary.md'),
    GITHUB_OUTPUT: join(tools, 'output'),
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
  expect(log).toContain('✗ notebooks/a b.ipynb cell 2 would crash: NameError');
  expect(log).toMatch(/^::error file=notebooks\/a b\.ipynb,line=\d+,title=cell 2 would crash::NameError/m);
  expect(readFileSync(runner.GITHUB_STEP_SUMMARY, 'utf8')).toContain('1 notebook: 1 would crash');
  const [, sarif] = /^sarif=(.*)$/m.exec(readFileSync(runner.GITHUB_OUTPUT, 'utf8'))!;
  expect(existsSync(sarif!)).toBe(true);
});

it('fails a job of GitLab and a stage of Jenkins, with the report that they were told of', () => {
  const { folder, env } = repository();
  const { notebooks: job } = fromYaml<{
    notebooks: { before_script: string[]; script: string[]; artifacts: { reports: { junit: string } } };
  }>(example('In GitLab'));
  expect(inShell([...job.before_script, ...job.script], folder, env)).toEqual([0, 0, 1]);
  const report = join(folder, job.artifacts.reports.junit);
  expect(readFileSync(report, 'utf8')).toContain('name="cell 2"');
  rmSync(report);
  const jenkinsfile = example('In Jenkins');
  const steps = [...jenkinsfile.matchAll(/\bsh '(.*)'/g)].map(([, line]) => line!);
  expect(inShell(steps, folder, env)).toEqual([0, 1]);
  expect(existsSync(join(folder, /\bjunit '(.*)'/.exec(jenkinsfile)![1]!))).toBe(true);
});

it('stops a commit, as hooks of pre-commit', () => {
  const { folder, env: user } = repository();
  const hooks = scratch();
  cpSync(join(root, '.pre-commit-hooks.yaml'), join(hooks, '.pre-commit-hooks.yaml'));
  const author = { GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@b.c', GIT_COMMITTER_NAME: 'a' };
  const env = { ...user, ...author, GIT_COMMITTER_EMAIL: 'a@b.c', PRE_COMMIT_HOME: join(hooks, 'home') };
  const git = (cwd: string, ...args: string[]) =>
    execFileSync('git', args, { cwd, env, stdio: ['ignore', 'pipe', 'ignore'] }).toString();
  git(hooks, 'init', '-q');
  git(hooks, 'add', '.pre-commit-hooks.yaml');
  git(hooks, 'commit', '-qm', 'hooks');
  const rev = git(hooks, 'rev-parse', 'HEAD').trim();
  const known = fromYaml<{ id: string }[]>(readFileSync(join(hooks, '.pre-commit-hooks.yaml'), 'utf8'));
  const config = { repos: [{ repo: hooks, rev, hooks: known.map(({ id }) => ({ id })) }] };
  writeFileSync(join(folder, '.pre-commit-config.yaml'), JSON.stringify(config));
  git(folder, 'init', '-q');
  git(folder, 'add', '-A');
  const preCommit = (...args: string[]) =>
    spawnSync(join(dirname(python), 'pre-commit'), args, { cwd: folder, env, encoding: 'utf8' });
  const refused = preCommit('run', '--all-files');
  expect(refused.status, refused.stdout + refused.stderr).toBe(1);
  expect(refused.stdout.match(/cell 2 would crash: NameError: name 'y' is not defined/g)).toHaveLength(2);
  notebook(folder, ['x = 1', 'print(x)'], {}, 'notebooks/a b.ipynb');
  git(folder, 'add', '-A');
  const passed = preCommit('run', '--all-files');
  expect(passed.status, passed.stdout + passed.stderr).toBe(0);
});
