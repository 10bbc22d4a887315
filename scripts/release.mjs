// Makes what is published, in release/: the wheel, the npm package, the sources, and their checksums: npm run release
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { installPackages, installPython, root, runScript, SetupError } from './lib/setup.mjs';

await runScript(async () => {
  await installPackages();
  const python = await installPython('build');
  const { buildWheel, version } = await import('./lib/stage.mjs');
  const changes = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  if (!changes.includes(`\n## ${version}\n`))
    throw new SetupError(
      `CHANGELOG.md has no entry for ${version}. Write what changed under \`## ${version}\`.`,
    );
  const release = join(root, 'release');
  rmSync(release, { recursive: true, force: true });
  mkdirSync(release);

  const built = await buildWheel(python, 'dist/release');
  const wheel = join(release, basename(built));
  cpSync(built, wheel);
  run('npm', ['pack', '--silent', '--pack-destination', release, join(root, 'dist/release/npm')]);
  const sources = join(release, `grus-${version}-source.tar.gz`);
  run('git', ['archive', '--format=tar.gz', `--prefix=grus-${version}/`, '-o', sources, 'HEAD']);

  const files = [wheel, join(release, `grus-${version}.tgz`), sources];
  const sums = files.map(
    (file) => `${createHash('sha256').update(readFileSync(file)).digest('hex')}  ${basename(file)}`,
  );
  writeFileSync(join(release, 'SHA256SUMS'), `${sums.join('\n')}\n`);
  for (const file of files)
    process.stdout.write(
      `${(statSync(file).size / 1e6).toFixed(1).padStart(6)} MB  release/${basename(file)}\n`,
    );
  return 0;
});

function run(command, args) {
  const done = spawnSync(command, args, { cwd: root, encoding: 'utf8', shell: process.platform === 'win32' });
  if (done.status !== 0) throw new SetupError(`${command} ${args[0]} failed:\n${done.stdout}${done.stderr}`);
}
