#!/usr/bin/env node
// The command `grus`. The bundle is made by `npm run build`.
// Node's own modules are asked for by call: an import would wrap each of them first.
const { existsSync } = process.getBuiltinModule('node:fs');
const { createRequire } = process.getBuiltinModule('node:module');

const require = createRequire(import.meta.url);
if (existsSync(new URL('../dist/bundle/main.cjs', import.meta.url))) {
  require('./load.cjs').load('main.cjs');
} else {
  process.stderr.write(
    'grus: this clone has not been built yet. Run `npm install && npm run build` first.\n',
  );
  process.exitCode = 2;
}
