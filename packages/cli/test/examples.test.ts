// The examples for clusters, as a cluster would run them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { recorded, testServer } from '../../server/test/support/server.js';
import { entry, scratch } from './grus.js';

const epilogue = join(import.meta.dirname, '..', '..', '..', 'examples', 'server', 'slurm-epilog.sh');

it('sends the output of a Slurm job, and never fails its node', async () => {
  const folder = scratch();
  const programs = join(folder, 'bin');
  mkdirSync(programs);
  const program = (name: string, line: string): void => {
    writeFileSync(join(programs, name), `#!/bin/sh\n${line}\n`);
    chmodSync(join(programs, name), 0o755);
  };
  const log = join(recorded('shape-flatten-cnn'), 'console.log');
  program('scontrol', `echo "JobId=$3 JobName=train StdErr=${log} StdIn=/dev/null StdOut=${log} Power="`);
  program('grus', `exec "${process.execPath}" "${entry}" "$@"`);
  const settings = join(folder, 'grus.env');
  const env = { PATH: `${programs}:${process.env['PATH']}`, SLURM_JOB_ID: '17', GRUS_ENV: settings };
  const codeOf = async (): Promise<unknown> => (await once(spawn('sh', [epilogue], { env }), 'exit'))[0];
  expect(await codeOf()).toBe(0);
  writeFileSync(settings, 'GRUS_TOKEN=(\n');
  expect(await codeOf()).toBe(0);
  const one = await testServer();
  try {
    writeFileSync(settings, `GRUS_SERVER=${one.server.url}\nGRUS_TOKEN=${one.server.token}\n`);
    // Every node of the job runs it.
    expect(await Promise.all([codeOf(), codeOf()])).toEqual([0, 0]);
    const { body } = await one.ask('/api/projects/default/runs');
    expect(body.runs).toMatchObject([{ name: 'slurm:17' }]);
  } finally {
    await one.stop();
  }
});
