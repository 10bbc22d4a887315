// The ranks of a command are found among its processes, however deep a launcher starts them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { rankProcesses } from '../../src/watch/stacks.js';

it('finds each rank once, and no helper without a rank', async () => {
  const script = `
    for rank in 1 0; do RANK=$rank sh -c 'sleep 60 & echo up; wait' & done
    sh -c 'sleep 60 & echo up; wait' &
    wait`;
  const launcher = spawn('sh', ['-c', script], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    let told = '';
    while (told.split('up').length < 4) told += String((await once(launcher.stdout, 'data'))[0]);
    const found = await rankProcesses(launcher.pid!);
    expect(found.map(({ rank }) => rank)).toEqual([0, 1]);
    expect(new Set(found.map(({ pid }) => pid)).size).toBe(2);
  } finally {
    process.kill(-launcher.pid!, 'SIGKILL');
  }
});
