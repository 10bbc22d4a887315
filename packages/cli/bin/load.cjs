// Loads the files of the bundle with what V8 compiled of them during the build: half of a short command would else be compiling.
// Files that are always loaded together are then one: each file costs as much as ten of its functions.
// V8 refuses what another version of it compiled, and then compiles anew; it does not look at the kind of processor, so the name says that.
const { readFileSync, writeFileSync } = require('node:fs');
const { enableCompileCache } = require('node:module');
const { join } = require('node:path');
const { Script, constants } = require('node:vm');

const folder = join(__dirname, '..', 'dist', 'bundle');
const head = '(exports, require, module, __filename, __dirname) {';
const loaded = new Map();
/** What makes a file's exports, of files that were read together with another. */
const makers = new Map();
/** By the file that was asked for: the files that it loaded, and the script that they are together. */
const groups = new Map();
let asked = null;

/** V8 begins later to make code and patterns fast: what that takes is won back only by commands that run longer than a short one. */
const later =
  '--interrupt-budget=500000 --no-sparkplug --regexp-tier-up-ticks=50 --no-regexp-peephole-optimization';

/** The exports of a file of the bundle. */
exports.load = function load(name) {
  // From Node 22 on, Node itself keeps what it compiled; source maps need its own loader.
  if (enableCompileCache || process.env.GRUS_DEBUG) {
    enableCompileCache?.();
    return require(join(folder, name));
  }
  const known = loaded.get(name);
  if (known !== undefined) return known.exports;
  if (asked !== null) return run(name);
  asked = name;
  groups.set(name, { files: [], script: together(name) });
  try {
    return run(name);
  } finally {
    asked = null;
  }
};

/** The first time it writes together what was loaded together, the second time what V8 compiled of it. */
exports.keep = function keep() {
  for (const [name, { files, script }] of groups) {
    if (script !== null) writeFileSync(join(folder, compiledOf(name)), script.createCachedData());
    else {
      const parts = files.map((file) => `${JSON.stringify(file)}:function${head}${read(file, 'latin1')}\n}`);
      writeFileSync(join(folder, togetherOf(name)), `({${parts.join(',')}})`, 'latin1');
    }
  }
};

function run(name) {
  const module = { exports: {} };
  loaded.set(name, module);
  groups.get(asked).files.push(name);
  const make =
    makers.get(name) ?? scriptOf(name, `(function${head}${read(name, 'latin1')}\n})`).runInThisContext();
  make(module.exports, requireFrom, module, join(folder, name), folder);
  return module.exports;
}

/** The script of a file and all that it loads; null where the build has kept none. */
function together(name) {
  const source = read(togetherOf(name), 'latin1', true);
  if (source === undefined) return null;
  // Not for the first file, which all commands load: of Node's own modules, V8 takes nothing compiled with other settings.
  if (groups.size > 0) require('node:v8').setFlagsFromString(later);
  const script = scriptOf(togetherOf(name), source, read(compiledOf(name), undefined, true));
  for (const [file, make] of Object.entries(script.runInThisContext())) makers.set(file, make);
  return script;
}

function scriptOf(name, source, cachedData) {
  return new Script(source, {
    filename: join(folder, name),
    cachedData,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
}

/** Files of the bundle name each other as neighbours; everything else is Node's or a package. */
function requireFrom(name) {
  return name.startsWith('./') ? exports.load(name.slice(2)) : require(name);
}
requireFrom.resolve = require.resolve;

function togetherOf(name) {
  return `${name}.together`;
}

function compiledOf(name) {
  return `${name}.${process.arch}.compiled`;
}

function read(name, encoding, perhaps = false) {
  try {
    return readFileSync(join(folder, name), encoding);
  } catch (error) {
    if (perhaps) return undefined;
    throw error;
  }
}
