// The ground that attack cells are let loose on: a folder, a folder elsewhere, a server that counts what reaches it, a
// kernel of root's or of an ordinary user's; and everything about them that must be the same afterwards.
import { execFileSync, spawnSync } from 'node:child_process';
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
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Kernel, startKernel } from '../../src/index.js';
import { run } from '../agent/support.js';
import { python } from '../support/python.js';

export type UserKind = 'root' | 'ordinary user';
const nobody = 65_534;

/** The users that kernels can be started as here. */
export function possibleUsers(): UserKind[] {
  if (process.getuid?.() !== 0) return ['ordinary user'];
  const tools = spawnSync('sh', ['-c', 'command -v setpriv && command -v unshare']).status === 0;
  return tools ? ['root', 'ordinary user'] : ['root'];
}

/** The cells of a fixture that separates them with `# %% name`. */
export function cellsOf(fixture: string): { readonly name: string; readonly cell: string }[] {
  return readFileSync(new URL(`./fixtures/${fixture}`, import.meta.url), 'utf8')
    .split(/^# %% /m)
    .slice(1)
    .map((part) => {
      const [name = '', ...lines] = part.trimEnd().split('\n');
      return { name, cell: lines.join('\n') };
    });
}

export class Ground {
  readonly mark = randomUUID();
  readonly folder = mkdtempSync(join(tmpdir(), 'grus-ground-'));
  readonly work = join(this.folder, 'work');
  readonly elsewhere = join(this.folder, 'elsewhere');
  readonly home = join(this.folder, 'home');
  reached = 0;
  kernel!: Kernel;
  private readonly servers: Server[] = [];

  static async prepare(user: UserKind): Promise<Ground> {
    const ground = new Ground();
    const port = await ground.listen();
    const socket = join(ground.folder, 'socket');
    await ground.listen(socket);
    chmodSync(socket, 0o777);
    chmodSync(ground.folder, 0o755);
    const away = user === 'ordinary user' && process.getuid?.() === 0;
    for (const made of [ground.work, ground.elsewhere, ground.home]) {
      mkdirSync(made);
      writeFileSync(join(made, 'there.txt'), 'precious');
      if (away) {
        chownSync(made, nobody, nobody);
        chownSync(join(made, 'there.txt'), nobody, nobody);
      }
    }
    ground.kernel = await startKernel({
      python: away ? interpreterForNobody(ground.folder) : python,
      cwd: ground.work,
      env: {
        HOME: ground.home,
        IPYTHONDIR: join(ground.home, 'ipython'),
        GRUS_ELSEWHERE: ground.elsewhere,
        GRUS_PORT: String(port),
        GRUS_SOCKET: socket,
        GRUS_MARK: ground.mark,
      },
    });
    await run(ground.kernel, readFileSync(new URL('./fixtures/victim.py', import.meta.url), 'utf8'));
    return ground;
  }

  /** Everything that an attack could have changed. */
  async state(): Promise<Record<string, unknown>> {
    const told = await this.kernel.execute('', {
      silent: true,
      userExpressions: { state: '__import__("json").dumps(state())' },
    });
    const answer = told.userExpressions['state'] as { data?: Record<string, string>; evalue?: string };
    return {
      kernel: JSON.parse(evaluated(answer.data?.['text/plain'] ?? `'"${answer.evalue}"'`)),
      files: {
        ...tree(this.work),
        ...tree(this.elsewhere),
        ...tree(this.home, ['ipython']),
      },
      root: readdirSync('/').sort(),
      temporary: readdirSync('/tmp').filter((name) => name.startsWith('grus-attack')),
      reached: this.reached,
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
    await this.kernel.close();
    for (const server of this.servers) server.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private listen(path?: string): Promise<number> {
    const server = createServer((connection) => {
      this.reached += 1;
      connection.destroy();
    });
    this.servers.push(server);
    return new Promise((resolve) => {
      const ready = () => {
        const address = server.address();
        resolve(typeof address === 'object' && address !== null ? address.port : 0);
      };
      if (path === undefined) server.listen(0, '127.0.0.1', ready);
      else server.listen(path, ready);
    });
  }
}

/** The string behind Python's repr of it. */
function evaluated(text: string): string {
  return text.slice(1, -1).replace(/\\(\\|')/g, '$1');
}

function tree(folder: string, without: readonly string[] = []): Record<string, string> {
  const found: Record<string, string> = {};
  const visit = (path: string) => {
    const told = lstatSync(path);
    const content = told.isSymbolicLink()
      ? readlinkSync(path)
      : told.isFile()
        ? createHash('sha256').update(readFileSync(path)).digest('hex')
        : readdirSync(path).sort().join(' ');
    found[path] = [told.mode.toString(8), told.uid, told.size, told.mtimeMs, content].join(' ');
    if (told.isDirectory())
      for (const name of readdirSync(path)) if (!without.includes(name)) visit(join(path, name));
  };
  visit(folder);
  return found;
}

/** A program that runs the test interpreter as nobody, also when that interpreter lies in a folder closed to others. */
function interpreterForNobody(folder: string): string {
  const base = execFileSync(python, ['-c', 'import sys; print(sys.base_prefix)']).toString().trim();
  const closed = base.split('/').slice(0, 2).join('/');
  const wrapper = join(folder, 'python-as-nobody');
  const become = `setpriv --reuid ${nobody} --regid ${nobody} --clear-groups`;
  writeFileSync(
    wrapper,
    `#!/bin/sh
chown -R ${nobody}:${nobody} "$(dirname "$4")"
if ${become} test -x '${base}/bin/python3'; then exec ${become} '${python}' "$@"; fi
exec unshare -m sh -c '
  mount -t tmpfs -o mode=755 none /mnt && mkdir /mnt/base && mount --bind "${base}" /mnt/base &&
  mount -t tmpfs -o mode=755 none "${closed}" && mkdir -p "${base}" && mount --bind /mnt/base "${base}" && exec ${become} "${python}" "$@"' sh "$@"
`,
  );
  chmodSync(wrapper, 0o755);
  return wrapper;
}
