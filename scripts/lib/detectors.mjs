// The registry of detectors follows from the files: one import and one entry each, family by family.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './setup.mjs';

const folder = 'packages/training/src/detectors';
/** Where two symptoms are equally strong, the earlier family decides. */
const families = ['memory', 'platform', 'distributed', 'optimization', 'data', 'model'];

/** The text of detectors/registry.ts. */
export function renderRegistry() {
  const found = families.flatMap((family) =>
    readdirSync(join(root, folder, family))
      .map((name) => name.replace(/\.ts$/, ''))
      .sort()
      .map((name) => ({ path: `./${family}/${name}.js`, name: camelCase(name) })),
  );
  const imports = [...found, { path: './define.js', name: 'type Detector' }].sort((a, b) =>
    a.path.replace('.js', '') < b.path.replace('.js', '') ? -1 : 1,
  );
  return [
    '// Every detector there is, made by `npm run generate` from the files of the families. A symptom is only looked for when its detector',
    '// stands here.',
    ...imports.map(({ path, name }) =>
      name.startsWith('type ')
        ? `import type { ${name.slice(5)} } from '${path}';`
        : `import { ${name} } from '${path}';`,
    ),
    '',
    'export const detectors: readonly Detector[] = [',
    ...found.map(({ name }) => `  ${name},`),
    '];',
    '',
  ].join('\n');
}

function camelCase(name) {
  return name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
}
