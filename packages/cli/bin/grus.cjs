#!/usr/bin/env node
// The command `grus`. The bundle is made by `npm run build`. CommonJS, because Node starts that faster than an ES module.
const { existsSync } = require('node:fs');
const { join } = require('node:path');

if (existsSync(join(__dirname, '..', 'dist', 'bundle', 'main.cjs'))) {
  require('./load.cjs').load('main.cjs');
} else {
  process.stderr.write(
    'grus: this clone has not been built yet. Run `npm install && npm run build` first.\n',
  );
  process.exitCode = 2;
}
