// Diagnoses a run and keeps beside the bundle what it loaded, then what V8 compiled of that: node keep-compiled.cjs RUN
const { keep, load } = require('../bin/load.cjs');

const [, , run] = process.argv;
process.argv.splice(2, 1, 'diagnose', run);
process.once('exit', keep);
load('main.cjs');
