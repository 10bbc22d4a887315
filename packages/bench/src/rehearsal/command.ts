// A command that is given a notebook in a folder of its own, and the time that it took: `grus check --rehearse`, or nbmake.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LongNotebook, writeNotebook } from './notebooks.js';

/** As for the kernels of the other benchmarks. */
const environment = { OMP_NUM_THREADS: '1', TF_CPP_MIN_LOG_LEVEL: '3', CUDA_VISIBLE_DEVICES: '' };

/** What the command wrote into `report`, as text; empty where it wrote nothing. */
export async function given(
  notebook: LongNotebook,
  report: string,
  command: (file: string) => readonly string[],
): Promise<{ readonly text: string; readonly seconds: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'grus-rehearsal-'));
  try {
    writeNotebook(join(folder, 'long.ipynb'), notebook.cells);
    const [file = '', ...args] = command('long.ipynb');
    const started = performance.now();
    await new Promise((resolve, reject) =>
      spawn(file, args, { cwd: folder, stdio: 'ignore', env: { ...process.env, ...environment } })
        .on('error', reject)
        .on('close', resolve),
    );
    const seconds = (performance.now() - started) / 1000;
    return { text: await readFile(join(folder, report), 'utf8').catch(() => ''), seconds };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
