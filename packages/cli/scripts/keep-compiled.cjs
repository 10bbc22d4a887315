// Diagnoses a run and keeps what V8 compiled for it beside the bundle: node keep-compiled.cjs RUN
const { keep, load } = require('../bin/load.cjs');

const [, , run] = process.argv;
process.argv.splice(2, 1, 'diagnose', run);
process.once('exit', keep);
load('main.cjs');
