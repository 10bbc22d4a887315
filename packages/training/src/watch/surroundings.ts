// What lies around a run and is in none of its files: space on its disk, memory of the machine, and when it last moved.
// Rings of a fixed size, so that days of watching hold no more than an hour does.
import { readFile, statfs } from 'node:fs/promises';

const sampleMs = 10_000;
const ringSize = 360;

export interface Sample {
  readonly time: number;
  readonly free: number;
  readonly total: number;
}

export interface Surroundings {
  readonly disk: readonly Sample[];
  readonly memory: readonly Sample[];
  /** Times at which the run was seen to reach a further step; the newest last. */
  readonly progress: readonly number[];
  /** When anything of the run last changed. */
  readonly lastChange: number;
}

export class SurroundingsKeeper implements Surroundings {
  readonly disk: Sample[] = [];
  readonly memory: Sample[] = [];
  readonly progress: number[] = [];
  lastChange: number;
  private lastStep: number | null = null;
  private lastSample = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly folder: string,
    now = Date.now(),
  ) {
    this.lastChange = now;
  }

  /** Something of the run changed; `step` is the last it has reached. */
  moved(step: number | null, now = Date.now()): void {
    this.lastChange = now;
    if (step === null || step === this.lastStep) return;
    this.lastStep = step;
    push(this.progress, now);
  }

  /** Looks at disk and memory, at most every few seconds. */
  async sample(now = Date.now()): Promise<void> {
    if (now - this.lastSample < sampleMs) return;
    this.lastSample = now;
    const [disk, memory] = await Promise.all([diskOf(this.folder), memoryOfMachine()]);
    if (disk) push(this.disk, { time: now, ...disk });
    if (memory) push(this.memory, { time: now, ...memory });
  }
}

function push<T>(ring: T[], entry: T): void {
  ring.push(entry);
  if (ring.length > ringSize) ring.shift();
}

async function diskOf(folder: string): Promise<{ free: number; total: number } | null> {
  const stats = await statfs(folder).catch(() => null);
  return stats === null ? null : { free: stats.bavail * stats.bsize, total: stats.blocks * stats.bsize };
}

/** Linux only: what can still be had, and the least of the machine's memory and the control group's. */
async function memoryOfMachine(): Promise<{ free: number; total: number } | null> {
  const text = await readFile('/proc/meminfo', 'utf8').catch(() => '');
  const kilobytes = (name: string): number | null => {
    const match = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text);
    return match ? Number(match[1]) * 1024 : null;
  };
  const total = kilobytes('MemTotal');
  const free = kilobytes('MemAvailable');
  if (total === null || free === null) return null;
  const group = await groupMemory();
  return group !== null && group.total < total ? group : { free, total };
}

async function groupMemory(): Promise<{ free: number; total: number } | null> {
  const read = (name: string): Promise<string> => readFile(`/sys/fs/cgroup/${name}`, 'utf8').catch(() => '');
  const limit = Number(await read('memory.max'));
  const held = Number(await read('memory.current'));
  if (!(limit > 0) || !(held > 0)) return null;
  const cache = /^inactive_file (\d+)/m.exec(await read('memory.stat'));
  return { free: limit - held + Number(cache?.[1] ?? 0), total: limit };
}
