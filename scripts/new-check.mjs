// `npm run new-check -- family/bad-pattern`: writes the files of a new check. Its tests fail until it is filled in.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { newCheck } from './lib/new-check.mjs';
import { root } from './lib/setup.mjs';

try {
  const files = newCheck(process.argv[2] ?? '');
  const taken = Object.keys(files).find((path) => existsSync(join(root, path)));
  if (taken) throw new Error(`${taken} exists already`);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    process.stdout.write(`${path}\n`);
  }
} catch (error) {
  process.stderr.write(`new-check: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 2;
}
