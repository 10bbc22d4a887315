// Runs a command and keeps beside the bundle what it loaded, then what V8 compiled of that: node keep-compiled.cjs diagnose RUN
const { keep, load } = require('../bin/load.cjs');

process.once('exit', keep);
load('main.cjs');
