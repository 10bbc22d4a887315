// Notebooks judged by a worker of a real server, as `grus check` judges them here.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { giveDatabase } from '../../server/test/support/embedded.js';
import { grus, python, scratch, start } from './grus.js';

const folder = scratch();
let server: ChildProcess | null = null;
afterAll(async () => {
  if (server === null || server.exitCode !== null) return;
  const gone = once(server, 'exit');
  server.kill('SIGTERM');
  await gone;
});

function notebook(path: string, ...cells: readonly string[]): string {
  const code = cells.map((source) => {
    return { cell_type: 'code', source, metadata: {}, outputs: [], execution_count: null };
  });
  writeFileSync(path, JSON.stringify({ cells: code, metadata: {}, nbformat: 4, nbformat_minor: 5 }));
  return path;
}

interface Answered {
  readonly notebooks: readonly {
    readonly notebook: string;
    readonly outcome: string;
    readonly problem: string | null;
    readonly cells: readonly {
      readonly cell: number;
      readonly outcome: string;
      readonly explanation: string;
    }[];
  }[];
}

it('says of each what grus check says of it, and runs none outside of the folder', async () => {
  const [data, inside] = [join(folder, 'data'), join(folder, 'notebooks')];
  mkdirSync(inside);
  notebook(join(inside, 'crash.ipynb'), 'rows = {"age": 31}', 'print(rows["agee"])');
  notebook(join(inside, 'fine.ipynb'), 'total = 1 + 2', 'print(total)');
  const ran = join(folder, 'ran');
  const outside = notebook(join(folder, 'outside.ipynb'), `open(${JSON.stringify(ran)}, "w").close()`);
  await giveDatabase(data);
  const child = start(['server', '--data', data, '--port', '0', '--workers', '0', '--notebooks', inside]);
  server = child;
  let said = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.on('data', (chunk) => {
      said += chunk;
      const [, address] = /serving on (\S+),/.exec(said) ?? [];
      if (address !== undefined) resolve(address);
    });
    child.once('exit', () => reject(new Error(said)));
  });
  const env = {
    GRUS_SERVER: url,
    GRUS_TOKEN: readFileSync(join(data, 'admin-token'), 'utf8').trim(),
  };
  const there = await grus(['check', '--fleet', inside, outside, '--json'], { env });
  const here = await grus(['check', inside, '--python', python, '--json']);
  const told = (JSON.parse(there.stdout) as Answered).notebooks;
  const plain = ({ outcome, problem, cells }: Answered['notebooks'][number]) => {
    return {
      outcome,
      problem,
      cells: cells.map(({ cell, outcome, explanation }) => [cell, outcome, explanation]),
    };
  };
  const [crash, fine, refused] = told;
  expect([crash!, fine!].map(plain)).toEqual((JSON.parse(here.stdout) as Answered).notebooks.map(plain));
  expect(told.map(({ outcome }) => outcome)).toEqual(['crash', 'ok', 'unknown']);
  expect(refused!.problem).toContain('not below its folder');
  expect(() => readFileSync(ran)).toThrow();
  expect(there.code).toBe(1);
});
