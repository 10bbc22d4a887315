#!/usr/bin/env node
// The command `grus`. The bundle is made by `npm run build`.
import { existsSync } from 'node:fs';
import module from 'node:module';

const bundle = new URL('../dist/bundle/main.js', import.meta.url);
if (existsSync(bundle)) {
  // From Node 22 on, what was compiled once is kept: the second start is quicker.
  module.enableCompileCache?.();
  await import(bundle.href);
} else {
  process.stderr.write(
    'grus: this clone has not been built yet. Run `npm install && npm run build` first.\n',
  );
  process.exitCode = 2;
}
