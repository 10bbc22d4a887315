// The ground that attack cells are let loose on: folders, servers of others that say when something reaches them, a kernel
// of root's or of an ordinary user's; and everything about them that must be the same afterwards.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Kernel, startKernel } from '@grus/kernel';
import { folder as cells } from './cells.js';

export const userKinds = ['root', 'ordinary user'] as const;
export type UserKind = (typeof userKinds)[number];
const nobody = 65_534;
const isRoot = process.getuid?.() === 0;
/** Names under which attacks leave something outside the ground. */
const planted = 'grus-attack';
const publicFolders = ['/', '/tmp', '/var/tmp', '/dev/shm', '/sys/fs/cgroup', '/sys/fs/cgroup/pids'];

/** The users that kernels can be started as here. */
export function possibleUsers(): UserKind[] {
  if (!isRoot) return ['ordinary user'];
  const tools = spawnSync('sh', ['-c', 'command -v setpriv && command -v unshare']).status === 0;
  return tools ? [...userKinds] : ['root'];
}

export type State = Readonly<Record<string, unknown>>;

export class Ground {
  kernel!: Kernel;
  private readonly mark = randomUUID();
  private readonly folder = mkdtempSync(join('/var/tmp', 'grus-ground-'));
  private strangers!: ChildProcess;
  private readonly reached: string[] = [];

  static async prepare(python: string, user: UserKind): Promise<Ground> {
    const ground = new Ground();
    try {
      await ground.build(python, user === 'ordinary user' && isRoot);
    } catch (error) {
      await ground.close();
      throw error;
    }
    return ground;
  }

  private async build(python: string, away: boolean): Promise<void> {
    chmodSync(this.folder, 0o777);
    for (const name of ['work', 'elsewhere', 'home', 'tmp', 'mounted']) {
      mkdirSync(join(this.folder, name));
      writeFileSync(join(this.folder, name, 'there.txt'), 'precious');
      if (away)
        for (const made of ['', 'there.txt']) chownSync(join(this.folder, name, made), nobody, nobody);
    }
    writeFileSync(join(this.folder, 'there.txt'), 'precious');
    const ports = await this.invite(python);
    this.kernel = await startKernel({
      python: isRoot ? interpreter(this.folder, python, away) : python,
      cwd: join(this.folder, 'work'),
      env: {
        HOME: join(this.folder, 'home'),
        IPYTHONDIR: join(this.folder, 'home', 'ipython'),
        TMPDIR: join(this.folder, 'tmp'),
        GRUS_GROUND: this.folder,
        GRUS_ELSEWHERE: join(this.folder, 'elsewhere'),
        GRUS_PORT: String(ports['port']),
        GRUS_DATAGRAM_PORT: String(ports['datagramPort']),
        GRUS_SOCKET: join(this.folder, 'socket'),
        GRUS_ABSTRACT: this.mark,
        GRUS_MARK: this.mark,
      },
    });
    const made = await this.kernel.execute(readFileSync(join(cells(), 'victim.py'), 'utf8'));
    if (made.error) throw new Error(`the ground could not be prepared: ${made.error.evalue}`);
  }

  /** Starts the servers of others and tells their ports. */
  private invite(python: string): Promise<Record<string, number>> {
    const args = [join(cells(), 'strangers.py'), this.folder, join(this.folder, 'elsewhere'), this.mark];
    this.strangers = spawn(python, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    return new Promise((resolve, reject) => {
      this.strangers.once('exit', () => reject(new Error('the servers could not be started')));
      createInterface({ input: this.strangers.stdout! }).on('line', (line) => {
        if (line.startsWith('reached ')) this.reached.push(line.slice('reached '.length));
        else resolve(JSON.parse(line) as Record<string, number>);
      });
    });
  }

  /** Everything that an attack could have changed. */
  async state(): Promise<State> {
    const told = await this.kernel.execute('', {
      silent: true,
      userExpressions: { state: '__import__("json").dumps(state())' },
      timeout: 20_000,
    });
    const answer = told.userExpressions['state'] as { data?: Record<string, string>; evalue?: string };
    return {
      ...JSON.parse(evaluated(answer.data?.['text/plain'] ?? `'{"state": "${answer.evalue}"}'`)),
      files: tree(this.folder, ['ipython', 'python']),
      planted: publicFolders.flatMap((folder) =>
        listed(folder).filter((name) => folder === '/' || name.startsWith(planted)),
      ),
      reached: [...this.reached],
      processes: this.processes(),
    };
  }

  /** How many processes come from the kernel, itself included. */
  processes(): number {
    const mark = `GRUS_MARK=${this.mark}`;
    return readdirSync('/proc').filter((name) => {
      if (!/^\d+$/.test(name)) return false;
      try {
        return readFileSync(`/proc/${name}/environ`, 'latin1').includes(mark);
      } catch {
        return false;
      }
    }).length;
  }

  async close(): Promise<void> {
    await this.kernel
      ?.execute('remove_objects(), victim.kill()', { silent: true, timeout: 5_000 })
      .catch(() => {});
    await this.kernel?.close();
    this.strangers?.removeAllListeners('exit');
    this.strangers?.kill();
    // Deeper than Node's own removal can go.
    spawnSync('rm', ['-rf', this.folder]);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The string behind Python's repr of it. */
function evaluated(text: string): string {
  return text.slice(1, -1).replace(/\\(\\|')/g, '$1');
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/** Of a file's content; empty when it has just gone. */
function digest(path: string): string {
  try {
    return createHash('sha256').update(readFileSync(path)).digest('hex');
  } catch {
    return '';
  }
}

const deepest = 8;

function tree(folder: string, without: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {};
  const visit = (path: string, depth: number) => {
    const told = lstatSync(path, { throwIfNoEntry: false });
    if (told === undefined) return;
    const names = told.isDirectory() ? listed(path).filter((name) => !without.includes(name)) : [];
    const content = told.isSymbolicLink()
      ? readlinkSync(path)
      : told.isFile()
        ? digest(path)
        : names.join(' ');
    const times = told.isFile() ? told.mtimeMs : 0;
    found[path] = [told.mode.toString(8), told.uid, told.isFile() ? told.size : 0, times, content].join(' ');
    if (depth < deepest) for (const name of names) visit(join(path, name), depth + 1);
  };
  visit(folder, 0);
  return found;
}

/**
 * A program that runs the interpreter with a file system of its own mounted below the ground's folder; `away` as nobody,
 * also when the interpreter lies in a folder closed to others.
 */
function interpreter(folder: string, python: string, away: boolean): string {
  const base = execFileSync(python, ['-c', 'import sys; print(sys.base_prefix)']).toString().trim();
  const closed = base.split('/').slice(0, 2).join('/');
  const wrapper = join(folder, 'python');
  const become = away ? `setpriv --reuid ${nobody} --regid ${nobody} --clear-groups` : '';
  writeFileSync(
    wrapper,
    `#!/bin/sh
${away ? `chown -R ${nobody}:${nobody} "$(dirname "$4")"` : ''}
exec unshare -m sh -c '
  mount -t tmpfs -o mode=1777 none "${folder}/mounted"
  if ! ${become} test -x "${base}/bin/python3"; then
    mount -t tmpfs -o mode=755 none /mnt && mkdir /mnt/base && mount --bind "${base}" /mnt/base &&
    mount -t tmpfs -o mode=755 none "${closed}" && mkdir -p "${base}" && mount --bind /mnt/base "${base}"
  fi
  exec ${become} "${python}" "$@"' sh "$@"
`,
  );
  chmodSync(wrapper, 0o755);
  return wrapper;
}
