// Brings a fresh clone to the point where Grus runs: npm packages, the build, and a Python environment of its own.
// Uses nothing but Node's own modules, because nothing else may be installed yet. Every step is skipped when up to date.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findChromium } from './chromium.mjs';

export const root = resolve(import.meta.dirname, '..', '..');
const windows = process.platform === 'win32';

export class SetupError extends Error {}

const stamp = join(root, 'node_modules', '.grus-installed');

/** Installs the npm packages of the lock file, unless this very lock file is installed already. */
export async function installPackages() {
  const wanted = digest(['package-lock.json', 'package.json']);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  // Not `npm ci`: it refuses lock files made where a registry lacks optional binaries of other platforms.
  await step('Installing npm packages', 'npm', ['install', '--no-save', '--no-audit', '--no-fund'], {
    shell: windows,
  });
  // A new file, because a copy of the clone may share the old one.
  rmSync(stamp, { force: true });
  writeFileSync(stamp, wanted);
}

/** The same for a clone that was set up before a change brought other packages. */
export async function installChangedPackages() {
  if (existsSync(stamp)) await installPackages();
}

export async function build() {
  await step('Building', process.execPath, [join(root, 'scripts', 'build.mjs')]);
}

/**
 * Makes an environment with the libraries of `requirements/<set>.txt` and returns its interpreter.
 * GRUS_PYTHON chooses the interpreter that the environment is made from. The versions of the tests hold in all environments whose libraries meet theirs.
 */
export async function installPython(set, folder = '.venv', { constrained = true } = {}) {
  const environment = join(root, folder);
  const environmentPython = join(environment, windows ? 'Scripts/python.exe' : 'bin/python');
  const requirements = join('requirements', `${set}.txt`);
  const stamp = join(environment, `.grus-${set}`);
  const wanted = digest(['requirements/constraints.txt', 'requirements/demo.txt', requirements]);
  if (existsSync(environmentPython) && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted)
    return environmentPython;
  if (!existsSync(environmentPython)) {
    const python = findPython();
    await step(
      `Creating a Python environment in ${folder} (Python ${python.version})`,
      python.command,
      ['-m', 'venv', environment],
      {
        advice: 'The venv module is needed: on Debian and Ubuntu it is the package python3-venv.',
      },
    );
  }
  const count = requirementCount(requirements);
  await step(
    `Installing ${count} Python ${count === 1 ? 'library' : 'libraries'} into ${folder}${set === 'demo' ? ' (about a minute)' : set === 'test' ? ' (several minutes the first time)' : ''}`,
    environmentPython,
    [
      '-m',
      'pip',
      'install',
      '--disable-pip-version-check',
      '--no-input',
      '--timeout',
      '60',
      ...(constrained ? ['-c', 'requirements/constraints.txt'] : []),
      '-r',
      requirements,
    ],
    { progress: /^(?:Collecting|Downloading|Installing collected packages)/ },
  );
  writeFileSync(stamp, wanted);
  return environmentPython;
}

/** The servers of others that the server's tests talk to; null where they cannot be installed. */
export async function installServices() {
  try {
    return await installPython('services', '.venv-services', { constrained: false });
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    process.stderr.write(`LEFT OUT: the tests with MLflow and S3. ${error.message}\n`);
    return null;
  }
}

/** Where an environment keeps its libraries. */
export function sitePackages(python) {
  const told = spawnSync(python, ['-c', 'import sysconfig; print(sysconfig.get_path("purelib"))'], {
    encoding: 'utf8',
  });
  return told.stdout.trim();
}

/** Whether there is a browser for the tests of the JupyterLab extension; one is installed where that is possible. */
export async function installChromium() {
  if (findChromium()) return true;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false;
  try {
    await step('Reading the list of Debian packages', 'apt-get', ['update']);
    const args = ['install', '--yes', '--no-install-recommends', 'chromium'];
    await step('Installing Chromium for the tests of the JupyterLab extension', 'apt-get', args);
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    process.stderr.write(`${error.message}\n`);
  }
  return findChromium() !== undefined;
}

function requirementCount(file) {
  const lines = readFileSync(join(root, file), 'utf8').split('\n');
  return lines.reduce((count, line) => {
    const nested = /^-r\s+(\S+)/.exec(line);
    if (nested) return count + requirementCount(join('requirements', nested[1]));
    return /^\s*(#|$)/.test(line) ? count : count + 1;
  }, 0);
}

function findPython() {
  const candidates = [process.env.GRUS_PYTHON, 'python3', 'python', windows ? 'py' : undefined].filter(
    Boolean,
  );
  for (const command of candidates) {
    const probe = spawnSync(command, ['-c', 'import sys; print("%d.%d.%d" % sys.version_info[:3])'], {
      encoding: 'utf8',
    });
    const version = probe.stdout?.trim();
    if (probe.status !== 0 || !version) continue;
    const [major, minor] = version.split('.').map(Number);
    if (major === 3 && minor >= 9) return { command, version };
  }
  throw new SetupError(
    'No Python 3.9 or newer was found. Install one, or name it in the environment variable GRUS_PYTHON.',
  );
}

/** Runs a command quietly behind one line of progress; what it printed is shown only when it fails. */
function step(title, command, args, { advice, progress, shell = false } = {}) {
  const started = Date.now();
  const lively = process.stderr.isTTY;
  let detail = '';
  const draw = () => {
    const seconds = Math.round((Date.now() - started) / 1000);
    const line = `  ${title} … ${seconds} s ${detail}`;
    process.stderr.write(`\r\u001b[K${line.slice(0, (process.stderr.columns ?? 80) - 1)}`);
  };
  if (lively) draw();
  else process.stderr.write(`  ${title} …\n`);
  const timer = lively
    ? setInterval(draw, 500)
    : setInterval(() => process.stderr.write('    still working\n'), 60_000);
  return new Promise((done, fail) => {
    const child = spawn(command, args, { cwd: root, shell, stdio: ['ignore', 'pipe', 'pipe'] });
    const output = [];
    const collect = (chunk) => {
      output.push(chunk);
      for (const line of String(chunk).split('\n'))
        if (progress?.test(line)) detail = line.trim().slice(0, 60);
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.on('error', (error) => finish(error.message));
    child.on('close', (code) => finish(code === 0 ? null : `exit code ${code}`));
    function finish(problem) {
      clearInterval(timer);
      const seconds = ((Date.now() - started) / 1000).toFixed(1);
      if (lively) process.stderr.write('\r\u001b[K');
      if (problem === null) {
        process.stderr.write(`  ${title}: done in ${seconds} s\n`);
        done();
        return;
      }
      process.stderr.write(Buffer.concat(output.map((chunk) => Buffer.from(chunk))));
      fail(new SetupError([`${title} failed (${problem}).`, advice].filter(Boolean).join(' ')));
    }
  });
}

function digest(files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

/** Runs `main`, turning a SetupError into one line and exit code 2. */
export async function runScript(main) {
  try {
    process.exitCode = await main();
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 2;
  }
}

/** Runs a command with the terminal handed over to it and returns its exit code. */
export function handOver(command, args, env = {}) {
  return new Promise((done) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } });
    const forward = (signal) => child.kill(signal);
    process.on('SIGINT', forward).on('SIGTERM', forward);
    child.on('error', (error) => {
      process.stderr.write(`${command}: ${error.message}\n`);
      done(2);
    });
    child.on('close', (code, signal) => done(code ?? (signal ? 130 : 1)));
  });
}
