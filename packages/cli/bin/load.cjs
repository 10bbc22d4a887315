// Loads the files of the bundle with what V8 compiled of them during the build: half of a short command would else be compiling.
// V8 refuses what another version of it compiled, and then compiles anew; it does not look at the kind of processor, so the name says that.
const { readFileSync, writeFileSync } = require('node:fs');
const { enableCompileCache } = require('node:module');
const { join } = require('node:path');
const { Script, constants } = require('node:vm');

const folder = join(__dirname, '..', 'dist', 'bundle');
const loaded = new Map();

/** The exports of a file of the bundle. */
exports.load = function load(name) {
  // From Node 22 on, Node itself keeps what it compiled; source maps need its own loader.
  if (enableCompileCache || process.env.GRUS_DEBUG) {
    enableCompileCache?.();
    return require(join(folder, name));
  }
  return (loaded.get(name) ?? run(name)).module.exports;
};

/** Keeps what is compiled by now of every loaded file. */
exports.keep = function keep() {
  for (const [name, { script }] of loaded) writeFileSync(compiledOf(name), script.createCachedData());
};

function run(name) {
  const file = join(folder, name);
  const script = new Script(
    `(function (exports, require, module, __filename, __dirname) {${readFileSync(file, 'latin1')}\n})`,
    {
      filename: file,
      cachedData: read(compiledOf(name)),
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    },
  );
  const one = { script, module: { exports: {} } };
  loaded.set(name, one);
  script.runInThisContext()(one.module.exports, requireFrom, one.module, file, folder);
  return one;
}

/** Files of the bundle name each other as neighbours; everything else is Node's or a package. */
function requireFrom(name) {
  return name.startsWith('./') ? exports.load(name.slice(2)) : require(name);
}
requireFrom.resolve = require.resolve;

function compiledOf(name) {
  return join(folder, `${name}.${process.arch}.compiled`);
}

function read(file) {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}
