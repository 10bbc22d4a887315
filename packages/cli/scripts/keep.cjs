// Runs a command of the bundle in a folder, and keeps there what `load.cjs` can keep of it: node keep.cjs FOLDER keepTogether diagnose RUN
const [folder, what] = process.argv.splice(2, 2);
const loader = require(`${folder}/bin/load.cjs`);

loader.isBuild = true;
process.once('exit', loader[what]);
loader.load('main.cjs');
