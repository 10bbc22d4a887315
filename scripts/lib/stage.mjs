// Puts together what people install: the folder of the npm package, and the folder that the wheel is packed from.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { buildExtension, buildLadder } from '../../packages/jupyterlab/scripts/build.mjs';
import { bundleCommand, withoutBenchmarks } from './bundle.mjs';
import { keepTogether } from './keep.mjs';
import { prepareSources } from './prepare-sources.mjs';
import { root } from './setup.mjs';

const cli = join(root, 'packages', 'cli');
const read = (...path) => readFileSync(join(root, ...path), 'utf8');
export const version = JSON.parse(read('package.json')).version;

/** The packages of npm that the program finds beside it, with the exact versions that were tested. */
function dependencies() {
  const wanted = ['zeromq', 'node-sqlite3-wasm', 'uplot', 'yaml'];
  const manifests = ['kernel', 'training'].map((name) => JSON.parse(read('packages', name, 'package.json')));
  const all = Object.assign({}, ...manifests.map((manifest) => manifest.dependencies));
  return Object.fromEntries(wanted.map((name) => [name, all[name]]));
}

/** Writes the npm package `grus` into the folder, a path below the root. */
export async function stagePackage(folder) {
  const target = join(root, folder);
  rmSync(target, { recursive: true, force: true });
  await prepareSources();
  const entries = {
    main: 'packages/cli/src/installed.ts',
    api: 'packages/cli/src/api/index.ts',
    guard: 'packages/cli/src/guard/main.ts',
    judge: 'packages/server/src/judging/thread.ts',
  };
  await bundleCommand(`${folder}/dist/bundle`, entries, { plugins: [withoutBenchmarks], sourcemap: false });
  cpSync(join(cli, 'bin'), join(target, 'bin'), { recursive: true });
  keepTogether(folder);
  for (const name of ['README.md', 'LICENSE']) cpSync(join(root, name), join(target, name));
  writeFileSync(
    join(target, 'index.mjs'),
    "import api from './dist/bundle/api.cjs';\n\nexport const { checkNotebook, diagnose } = api;\n",
  );
  for (const [from, to] of [
    ['index', 'index.d.mts'],
    ['types', 'types.d.mts'],
  ]) {
    const { outputText } = ts.transpileDeclaration(read('packages', 'cli', 'src', 'api', `${from}.ts`), {
      fileName: `${from}.ts`,
    });
    writeFileSync(join(target, to), outputText.replaceAll('./types.js', './types.mjs'));
  }
  const manifest = {
    name: 'grus',
    version,
    description: 'Predicts notebook cells that will crash, and says why training runs fail',
    license: 'BSD-3-Clause',
    type: 'module',
    engines: { node: '>=20.19' },
    bin: { grus: 'bin/grus.cjs' },
    exports: { '.': { types: './index.d.mts', default: './index.mjs' } },
    files: ['bin', 'dist', 'index.mjs', '*.d.mts'],
    dependencies: dependencies(),
  };
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  return target;
}

/** Writes the source of the wheel into the folder; the npm package is in `npm`. */
async function stageWheel(folder, npm) {
  const python = join(await stageSources(folder, npm), 'grus');
  await buildExtension(join(folder, 'labextension'));
  await buildLadder(join(python, 'jupyterlab', 'ladder'));
  for (const name of [...Object.keys(dependencies()), 'cmake-ts'])
    copyPackage(name, join(python, 'node', 'node_modules'));
  return folder;
}

/** What is written by hand, and the program that it runs with Node. */
async function stageSources(folder, npm) {
  rmSync(folder, { recursive: true, force: true });
  const source = (path) => !/__pycache__|\.egg-info/.test(path);
  cpSync(join(root, 'pip'), folder, { recursive: true, filter: source });
  const python = join(folder, 'grus');
  cpSync(join(root, 'hooks', 'src', 'grus_hooks'), join(python, 'hooks'), {
    recursive: true,
    filter: source,
  });
  writeFileSync(
    join(python, 'version.py'),
    `# Written by the build from the manifest.\nVERSION = ${JSON.stringify(version)}\n`,
  );
  for (const name of ['bin', 'dist', 'LICENSE'])
    cpSync(join(npm, name), join(python, 'node', name), { recursive: true });
  return folder;
}

/** What a package needs to run: no sources, types, maps, or binaries for systems that no Node of ours runs on. */
function copyPackage(name, target) {
  const from = join(root, 'node_modules', name);
  const wanted = (path) => {
    const inside = path.slice(from.length + 1);
    if (
      /\.(?:map|d\.ts|d\.mts|tsbuildinfo)$|^(?:src|script|docs|test|browser|lib\/ts3\.7|lib\/compat)(?:\/|$)/.test(
        inside,
      )
    )
      return false;
    if (name === 'zeromq')
      return !/\/ia32(?:\/|$)|node\/(?:\d+|[a-z]+-(?:72|147)-Release)(?:\/|$)/.test(inside);
    if (name === 'cmake-ts')
      return !inside.includes('/') || /^build\/(?:loader|libc|deps)/.test(inside) || inside === 'build';
    return true;
  };
  mkdirSync(dirname(join(target, name)), { recursive: true });
  cpSync(from, join(target, name), { recursive: true, dereference: true, filter: wanted });
}

/** Packs the staged source with the interpreter and returns the path of the wheel. */
export function packWheel(python, staged, wheels) {
  rmSync(wheels, { recursive: true, force: true });
  const args = [
    '-m',
    'pip',
    '--disable-pip-version-check',
    'wheel',
    staged,
    '--no-deps',
    '--wheel-dir',
    wheels,
  ];
  if (hasSetuptools(python)) args.push('--no-build-isolation');
  const packed = spawnSync(python, args, { encoding: 'utf8' });
  if (packed.status !== 0) throw new Error(`pip could not pack the wheel:\n${packed.stdout}${packed.stderr}`);
  return join(wheels, readdirSync(wheels)[0]);
}

/** Whether the interpreter can pack by itself; otherwise pip fetches what it needs. */
function hasSetuptools(python) {
  const probe = 'import setuptools; raise SystemExit(int(setuptools.__version__.split(".")[0]) < 71)';
  return spawnSync(python, ['-c', probe]).status === 0;
}

/** The Python package as the wheel has it, without the extension of JupyterLab: a folder for PYTHONPATH. */
export async function stageGuard(folder) {
  const npm = await stagePackage(`${folder}/npm`);
  return stageSources(join(root, folder, 'python'), npm);
}

/** Builds the wheel below `folder`, a path below the root, and returns its path. */
export async function buildWheel(python, folder) {
  const npm = await stagePackage(`${folder}/npm`);
  const staged = await stageWheel(join(root, folder, 'wheel-source'), npm);
  return packWheel(python, staged, join(root, folder, 'wheel'));
}
