// What several files of tests need, such as the wheel, is made by the first of them that asks, once in each run of the tests.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { root } from './setup.mjs';

/** Names the run to the processes that the tests run in. */
const variable = 'GRUS_TEST_RUN';
const folderOf = (run) => `dist/tests/${run}`;
const remove = (run) => rmSync(join(root, folderOf(run)), { recursive: true, force: true });

/** Vitest calls both. */
export function setup() {
  process.env[variable] = String(process.pid);
  remove(process.pid);
}
export function teardown() {
  remove(process.pid);
}

/**
 * The path that `make` returns. It is given a folder, as a path below the root, that exists until the run ends.
 * @param {string} name
 * @param {(folder: string) => Promise<string> | string} make
 * @returns {Promise<string>}
 */
export async function onceARun(name, make) {
  const run = process.env[variable] ?? `alone-${process.pid}`;
  const folder = `${folderOf(run)}/${name}`;
  const told = join(root, `${folder}.json`);
  if (isFirst(join(root, folder))) {
    const made = await Promise.resolve(folder)
      .then(make)
      .then(
        (path) => ({ path }),
        (error) => ({ trouble: String(error.stack) }),
      );
    writeFileSync(`${told}.new`, JSON.stringify(made));
    renameSync(`${told}.new`, told);
  }
  while (!existsSync(told)) await wait(50);
  const { path, trouble } = JSON.parse(readFileSync(told, 'utf8'));
  if (trouble !== undefined) throw new Error(trouble);
  return path;
}

function isFirst(folder) {
  mkdirSync(dirname(folder), { recursive: true });
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  }
}
