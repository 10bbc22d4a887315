// Checks that have a file of cases of their own, `cases/<family>/<name>.ts`: found by themselves, so a new check needs no
// line here.
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { CheckCase } from './libraries/cases/case.js';
import { runFamilies } from './libraries/run-cases.js';

const folder = fileURLToPath(new URL('cases', import.meta.url));
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.ts'),
);

const families = new Map<string, readonly CheckCase[]>();
for (const file of files.sort()) {
  const { cases } = (await import(`${folder}/${file}`)) as { cases: readonly CheckCase[] };
  families.set(file.replace(/\.ts$/, ''), cases);
}
runFamilies(Object.fromEntries(families));
