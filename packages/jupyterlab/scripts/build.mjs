// Builds the extension as JupyterLab loads it: one script that registers a federated module, its schema and its
// package.json, in dist/labextension. Packages that JupyterLab shares are taken from it when the page loads.
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import bundleAgent from '../../kernel/scripts/bundle-agent.mjs';
import { container } from './federation.mjs';
import { nodeOnly, nodeParts, withoutNative } from './node-only.mjs';

export const home = join(import.meta.dirname, '..');

/** What JupyterLab shares with its extensions; two copies of any of these would not know each other's objects. */
const shared = [
  '@jupyterlab/*',
  '@lumino/*',
  '@codemirror/state',
  '@codemirror/view',
  '@codemirror/language',
];

/** Writes the extension into `target` and returns its size in bytes. */
export async function buildExtension(target) {
  bundleAgent();
  const manifest = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
  const result = await build({
    absWorkingDir: home,
    entryPoints: ['src/index.ts'],
    bundle: true,
    write: false,
    outfile: 'extension.js',
    metafile: true,
    format: 'cjs',
    platform: 'browser',
    target: 'es2022',
    conditions: ['source', 'browser'],
    external: shared,
    plugins: [nodeOnly],
    minify: true,
    logLevel: 'warning',
  });
  const parts = nodeParts(result.metafile);
  if (parts.length > 0)
    throw new Error(`parts that need Node would get into the browser: ${parts.join(', ')}`);
  const [output] = Object.values(result.metafile.outputs);
  const names = output.imports.filter(({ external }) => external).map(({ path }) => path);
  const style = readFileSync(join(home, 'style', 'grus.css'), 'utf8');
  const script = container({
    name: manifest.name,
    shared: [...new Set(names)],
    source: result.outputFiles[0].text,
    style,
  });
  const file = `remoteEntry.${createHash('sha256').update(script).digest('hex').slice(0, 16)}.js`;
  rmSync(target, { recursive: true, force: true });
  mkdirSync(join(target, 'static'), { recursive: true });
  writeFileSync(join(target, 'static', file), script);
  cpSync(join(home, 'schema'), join(target, 'schemas', manifest.name), { recursive: true });
  writeFileSync(
    join(target, 'schemas', manifest.name, 'package.json.orig'),
    JSON.stringify(manifest, null, 2),
  );
  const { name, version, description, license, jupyterlab } = manifest;
  const _build = { load: `static/${file}`, extension: './extension', style: './style' };
  const published = { name, version, description, license, jupyterlab: { ...jupyterlab, _build } };
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
  return script.length;
}

/** The program that the server runs with Node: one file without anything beside it. */
export async function buildLadder(folder) {
  await build({
    absWorkingDir: home,
    entryPoints: { main: 'src/ladder/main.ts' },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['source'],
    plugins: [withoutNative],
    minify: true,
    banner: {
      js: "import { createRequire as grusCreateRequire } from 'node:module'; const require = grusCreateRequire(import.meta.url);",
    },
    logLevel: 'warning',
  });
}

if (process.argv[1] === import.meta.filename) {
  const bytes = await buildExtension(join(home, 'dist', 'labextension'));
  process.stderr.write(`labextension built: ${Math.round(bytes / 1024)} kB\n`);
}
