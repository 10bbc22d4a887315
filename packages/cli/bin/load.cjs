// Loads the files of the bundle with what V8 compiled of them before: half of a short command would else be compiling. In a clone that was
// during the build. An installed Grus keeps it in the user's cache when a command ends well, one for each command.
// Files that are always loaded together are then one: each file costs as much as ten of its functions.
// V8 refuses what another version of it compiled, and then compiles anew; it does not look at the kind of processor, so the name says that.
const {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} = require('node:fs');
const { enableCompileCache } = require('node:module');
const { isAbsolute, join } = require('node:path');
const { Script, constants } = require('node:vm');

const folder = join(__dirname, '..', 'dist', 'bundle');
const head = '(exports, require, module, __filename, __dirname) {';
const loaded = new Map();
/** What makes a file's exports, of files that were read together with another. */
const makers = new Map();
/** By the file that was asked for: the files that it loaded, and the script that they are together. */
const groups = new Map();
/** What is kept longer than a month may be of versions that are gone: whoever needs it keeps it anew. */
const longest = 30 * 24 * 3600 * 1000;
/** What V8 compiled anew, by the path that it will be kept at. */
const fresh = new Map();
let asked = null;

process.once('exit', (code) => {
  if (code < 2) keepFresh();
});

/** V8 begins later to make code and patterns fast: what that takes is won back only by commands that run longer than a short one. */
const later =
  '--interrupt-budget=500000 --no-sparkplug --regexp-tier-up-ticks=50 --no-regexp-peephole-optimization';

/** What only finds out which command is asked for. V8 takes nothing compiled with other settings, not of Node's own modules either. */
const declaring = /^(?:main|program)\b/;

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

/** The build keeps nothing in the user's cache. */
exports.isBuild = false;

/** For the build: writes together what was loaded together. */
exports.keepTogether = function keepTogether() {
  for (const [name, { files, script }] of groups) {
    if (script !== null) continue;
    const parts = files.map(
      (file) => `${JSON.stringify(file)}:function${head}${read(join(folder, file), 'latin1')}\n}`,
    );
    const source = `({${parts.join(',')}})`;
    const digest = require('node:crypto').createHash('sha256').update(source, 'latin1').digest('hex');
    writeFileSync(join(folder, togetherOf(name)), `/*${digest}*/${source}`, 'latin1');
  }
};

/** For the build: writes beside the bundle what V8 compiled of that. */
exports.keepCompiled = function keepCompiled() {
  for (const [name, { script }] of groups)
    writeFileSync(join(folder, compiledOf(name)), script.createCachedData());
};

function run(name) {
  const module = { exports: {} };
  loaded.set(name, module);
  groups.get(asked).files.push(name);
  const make =
    makers.get(name) ??
    scriptOf(name, `(function${head}${read(join(folder, name), 'latin1')}\n})`).runInThisContext();
  make(module.exports, requireFrom, module, join(folder, name), folder);
  return module.exports;
}

/** The script of a file and all that it loads; null where the build has kept none. */
function together(name) {
  const source = read(join(folder, togetherOf(name)), 'latin1', true);
  if (source === undefined) return null;
  if (!declaring.test(name)) {
    keepFresh();
    require('node:v8').setFlagsFromString(later);
  }
  const beside = read(join(folder, compiledOf(name)), undefined, true);
  const cached = beside === undefined && !exports.isBuild ? cacheOf(source) : undefined;
  const kept = beside ?? (cached && isOwn(cached) ? read(cached, undefined, true) : undefined);
  const script = scriptOf(togetherOf(name), source, kept);
  if (cached !== undefined && script.cachedDataRejected !== false) fresh.set(cached, script);
  for (const [file, make] of Object.entries(script.runInThisContext())) makers.set(file, make);
  return script;
}

/** Where V8's work on these files is kept for this user and command. */
function cacheOf(source) {
  const { GRUS_CACHE_DIR: own, XDG_CACHE_HOME: caches = '' } = process.env;
  const home = isAbsolute(caches) ? caches : join(require('node:os').homedir(), '.cache');
  const command = /^[a-z]{1,20}$/.test(process.argv[2]) ? process.argv[2] : 'grus';
  const { arch, versions } = process;
  return join(
    own || join(home, 'grus'),
    'compiled',
    `${source.slice(2, 34)}.${command}.${versions.v8}.${arch}`,
  );
}

/** What V8 compiled is run as it is: of another user's, as under `sudo` with the home of who asked for it, nothing is taken. */
function isOwn(path) {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && (process.getuid === undefined || found.uid === process.getuid());
}

function keepFresh() {
  const kept = [...fresh];
  fresh.clear();
  for (const [path, script] of kept) {
    const [place, mine] = [join(path, '..'), `${path}.${process.pid}`];
    try {
      for (const folder of ['../..', '..', '.']) makeFolder(join(place, folder));
      for (const old of readdirSync(place).map((name) => join(place, name)))
        if (Date.now() - statSync(old).mtimeMs > longest) rmSync(old, { force: true });
      writeFileSync(mine, script.createCachedData(), { mode: 0o600 });
      renameSync(mine, path);
    } catch {
      // Without it the next start takes longer, and that is all.
    }
  }
}

/** One by one: where no folders can be made, as below /proc, Node would try for ever to make all. */
function makeFolder(path) {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch {
    // It is there, or what is written into it says so.
  }
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

function read(path, encoding, perhaps = false) {
  try {
    return readFileSync(path, encoding);
  } catch (error) {
    if (perhaps) return undefined;
    throw error;
  }
}
