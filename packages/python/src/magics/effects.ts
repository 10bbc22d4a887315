// What a magic may do to the state that later reasoning relies on. An unknown magic may do everything.

/** Facts that no longer hold once the magic has run. */
export interface MagicEffects {
  /** May bind, rebind or delete any name of the namespace. */
  readonly names: boolean;
  /** May create or remove files. */
  readonly files: boolean;
  /** May change the current directory. */
  readonly directory: boolean;
  /** May install modules or change the import path. */
  readonly modules: boolean;
}

const none: MagicEffects = { names: false, files: false, directory: false, modules: false };
const everything: MagicEffects = { names: true, files: true, directory: true, modules: true };
const shell: MagicEffects = { ...none, files: true, modules: true };

const quiet = [
  'pinfo',
  'pinfo2',
  'pdoc',
  'pdef',
  'psource',
  'pfile',
  'psearch',
  'matplotlib',
  'config',
  'who',
  'whos',
  'who_ls',
  'env',
  'set_env',
  'history',
  'hist',
  'lsmagic',
  'magic',
  'quickref',
  'pprint',
  'xmode',
  'colors',
  'pwd',
  'ls',
  'll',
  'lx',
  'ldir',
  'lf',
  'lk',
  'cat',
  'more',
  'less',
  'man',
  'page',
  'pdb',
  'autosave',
  'notebook',
  'precision',
  'autocall',
  'automagic',
  'alias',
  'unalias',
  'alias_magic',
  'tb',
  'timeit',
  'memit',
  'connect_info',
  'html',
  'HTML',
  'javascript',
  'js',
  'latex',
  'markdown',
  'svg',
  'SVG',
  'tensorboard',
];

const known = new Map<string, MagicEffects>([
  ...quiet.map((name): [string, MagicEffects] => [name, none]),
  ['autoreload', { ...none, modules: true }],
  ['aimport', { ...none, names: true, modules: true }],
  ['time', none],
  ['capture', none],
  ['prun', none],
  ['cd', { ...none, directory: true, files: true }],
  ['pushd', { ...none, directory: true, files: true }],
  ['popd', { ...none, directory: true, files: true }],
  ['mkdir', { ...none, files: true }],
  ['rmdir', { ...none, files: true }],
  ['rm', { ...none, files: true }],
  ['mv', { ...none, files: true }],
  ['cp', { ...none, files: true }],
  ['writefile', { ...none, files: true, modules: true }],
  ['file', { ...none, files: true, modules: true }],
  ['save', { ...none, files: true, modules: true }],
  ['pip', { ...none, files: true, modules: true }],
  ['conda', { ...none, files: true, modules: true }],
  ['mamba', { ...none, files: true, modules: true }],
  ['uv', { ...none, files: true, modules: true }],
  ['pylab', { ...none, names: true }],
  ['store', { ...none, names: true }],
  ['system', shell],
  ['sx', shell],
  ['bash', shell],
  ['sh', shell],
  ['script', shell],
  ['perl', shell],
  ['ruby', shell],
  ['python', shell],
  ['python3', shell],
  ['sql', { ...none, names: true, files: true }],
]);

/** Extensions that only add magics or watch the session. */
const harmlessExtensions = new Set(
  (
    'autoreload tensorboard line_profiler memory_profiler dotenv watermark nb_black lab_black jupyter_black Cython sql ' +
    'rpy2.ipython google.colab.data_table snakeviz heat'
  ).split(' '),
);

/** Classes that every IPython kernel lets `%config` set. */
const configured = /^(InlineBackend|IPCompleter|Completer|InteractiveShell|ZMQInteractiveShell)\./;

/** Whether a line magic certainly ends without an exception and leaves the names alone: the cell goes on as if it were not there. */
export function isInert(
  form: 'line' | 'shell' | 'help' | 'cell' | 'autocall',
  name: string,
  argument: string,
): boolean {
  if (form === 'shell' || form === 'help') return true;
  if (form !== 'line') return false;
  switch (name) {
    case 'matplotlib':
      return argument === '' || argument === 'inline' || argument === 'agg';
    case 'config':
      return configured.test(argument);
    case 'load_ext':
    case 'reload_ext':
      return argument.trim() === 'autoreload';
    case 'time':
    case 'timeit':
      return argument === '';
    case 'pip':
    case 'conda':
    case 'who':
    case 'whos':
    case 'who_ls':
    case 'lsmagic':
    case 'pwd':
    case 'ls':
    case 'cd':
    case 'autosave':
    case 'autoreload':
      return true;
    default:
      return false;
  }
}

/** Cell magics whose body runs as Python in the user's namespace. */
const pythonBodies = new Set(['time', 'timeit', 'capture', 'prun']);

export function effectsOf(name: string, argument = ''): MagicEffects {
  if (name === 'load_ext' || name === 'reload_ext')
    return harmlessExtensions.has(argument.trim())
      ? { ...none, modules: argument.trim() === 'autoreload' }
      : everything;
  return known.get(name) ?? everything;
}

/** `%%timeit` and `%%prun` take code on their own line too, which is not read here. */
export function keepsPythonBody(name: string, argument: string): boolean {
  if (!pythonBodies.has(name)) return false;
  const options = argument.replace(/(^|\s)(-[nrplsTDtv]\s*\S+|-[tcqoir])(?=\s|$)/g, ' ');
  return (name !== 'timeit' && name !== 'prun') || options.trim() === '';
}

/** Whether an exception raised by the body leaves the cell itself successful. */
export function swallowsErrors(name: string, argument: string): boolean {
  return name === 'capture' || (name === 'time' && argument.includes('--no-raise-error'));
}
