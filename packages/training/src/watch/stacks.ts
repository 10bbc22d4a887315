// Where the ranks of a command stand: found among the processes that it started, and asked by py-spy where that is installed and allowed.
// A process under watch is read, never changed.
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface RankProcess {
  readonly pid: number;
  readonly rank: number;
}

const mostProcesses = 256;
const patienceMs = 15_000;
const run = promisify(execFile);

/** Every process below `pid` that a launcher gave a rank; of processes that inherited it, the outermost. */
export async function rankProcesses(pid: number): Promise<RankProcess[]> {
  const found: RankProcess[] = [];
  const visit = async (parent: number): Promise<void> => {
    for (const child of await childrenOf(parent)) {
      if (found.length >= mostProcesses) return;
      const rank = await rankOf(child);
      if (rank === null) await visit(child);
      else found.push({ pid: child, rank });
    }
  };
  await visit(pid);
  return found.sort((a, b) => a.rank - b.rank);
}

/** Writes one file per rank into the run's folder, where the readers find it; returns how many there are. */
export async function collectStacks(folder: string, pid: number): Promise<number> {
  const ranks = await rankProcesses(pid);
  const place = join(folder, 'grus-stacks');
  let written = 0;
  for (const { pid: asked, rank } of ranks) {
    const answer = await run('py-spy', ['dump', '--nonblocking', '--pid', String(asked)], {
      timeout: patienceMs,
    }).catch(() => null);
    if (answer === null) continue;
    await mkdir(place, { recursive: true });
    await writeFile(join(place, `rank_${rank}.txt`), answer.stdout);
    written++;
  }
  return written;
}

async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return text.split(' ').filter(Boolean).map(Number);
}

async function rankOf(pid: number): Promise<number | null> {
  const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
  const rank = /(?:^|\0)RANK=(\d{1,6})(?:\0|$)/.exec(environment);
  return rank ? Number(rank[1]) : null;
}
