// What a rank was doing, read off its stack: which of the calls that may last long stands nearest to the innermost frame.
import type { RankStack, StackFrame } from '../../record/stack.js';

/** `own`: in the user's code and in nothing that is known to wait. */
export type Doing = 'collective' | 'backward' | 'loader' | 'checkpoint' | 'lock' | 'start' | 'own';

interface Sign {
  readonly doing: Doing;
  readonly file: RegExp;
  readonly function: RegExp;
}

const anything = /^/;

/** The first row that a frame meets says what the frame does. */
const signs: readonly Sign[] = [
  { doing: 'start', file: /^<frozen importlib/, function: anything },
  { doing: 'start', file: anything, function: /^(?:init_process_group|_create_c10d_store|rendezvous)$/ },
  {
    doing: 'collective',
    file: /(?:^|[/\\])torch[/\\]distributed[/\\](?:c10d_logger|distributed_c10d)\.py$/,
    function: anything,
  },
  { doing: 'collective', file: /(?:^|[/\\])(?:distributed_c10d|c10d_logger)\.py$/, function: anything },
  // Sharded and pipelined models wait inside of their own files.
  {
    doing: 'collective',
    file: /(?:^|[/\\])torch[/\\]distributed[/\\](?!checkpoint|elastic|launch|run|rpc)/,
    function: anything,
  },
  {
    doing: 'backward',
    file: /(?:^|[/\\])(?:torch[/\\]autograd[/\\])?(?:graph|__init__)\.py$/,
    function: /^(?:_engine_run_backward|backward)$/,
  },
  { doing: 'loader', file: /dataloader\.py$|(?:^|[/\\])utils[/\\]data[/\\]/, function: anything },
  {
    doing: 'loader',
    file: anything,
    function: /^(?:__getitems?__|_try_get_data|_next_data|_get_data)$/,
  },
  // Where files are opened, unpacked and decoded.
  {
    doing: 'loader',
    file: /(?:^|[/\\])(?:codecs|gzip|lzma|bz2|zipfile|tarfile)\.py$|[/\\](?:pyarrow|h5py|PIL|fsspec|webdataset|lmdb|zarr|soundfile|librosa|datasets)[/\\]|[/\\]numpy[/\\]lib[/\\]_?(?:npyio|format)\w*\.py$/,
    function: anything,
  },
  {
    doing: 'loader',
    file: anything,
    function: /^_?(?:read|load|fetch|next|get|open)_\w*(?:shard|batch|sample|record|chunk|example)\w*$/,
  },
  {
    doing: 'checkpoint',
    file: /(?:^|[/\\])torch[/\\](?:serialization|distributed[/\\]checkpoint[/\\].*)\.py$|safetensors/,
    function: anything,
  },
  { doing: 'checkpoint', file: anything, function: /checkpoint|^save(?:_|$)|_save$|^_?save_|state_dict/i },
  { doing: 'lock', file: /(?:^|[/\\])(?:threading|queue)\.py$|concurrent[/\\]futures/, function: anything },
  { doing: 'lock', file: anything, function: /^acquire$/ },
];

/** The loader calls the user's dataset and collation from here: whatever they do, they load. */
const fetches = /(?:^|[/\\])utils[/\\]data[/\\]_utils[/\\]fetch\.py$/;

/** What a data set calls to make a sample, loads. */
const ofSample = /^__getitems?__$/;

/** Some tools cut the path at the folder of the library. */
const fromLibraries =
  /^(?:torch|multiprocessing|concurrent|asyncio|importlib|logging|json|urllib|http)[/\\]|^(?:threading|queue|selectors|select|socket|ssl|subprocess|codecs|gzip|lzma|bz2|zipfile|tarfile|shutil|tempfile|pickle|copy|contextlib|functools|runpy|ftplib)\.py$|site-packages|dist-packages|[/\\]lib[/\\]python\d|<frozen|^<string>$/;

export function isOwnFile(file: string): boolean {
  return !fromLibraries.test(file);
}

export function doingOf({ frames }: RankStack): Doing {
  let found: Doing | null = null;
  for (const frame of frames) {
    const sign = signs.find((row) => row.file.test(frame.file) && row.function.test(frame.function));
    // Everything that waits does so in a lock: who took it stands further out.
    if (sign && sign.doing !== 'lock') return sign.doing;
    if (sign) {
      found ??= sign.doing;
      continue;
    }
    // Past the innermost lines of the user the callers say only how one came here.
    if (isOwnFile(frame.file) && !isHelper(frame)) break;
  }
  if (frames.some(({ file, function: name }) => fetches.test(file) || ofSample.test(name))) return 'loader';
  return named(frames) ?? found ?? 'own';
}

/** A short function of the user may be called by one whose name says more. */
function isHelper({ function: name }: StackFrame): boolean {
  return name.startsWith('<');
}

/** A caller of the user whose name says that a checkpoint is written. */
function named(frames: readonly StackFrame[]): Doing | null {
  const sign = signs.find(({ doing, file }) => doing === 'checkpoint' && file === anything)!;
  return frames.slice(0, 8).some((frame) => sign.function.test(frame.function)) ? 'checkpoint' : null;
}

/** The innermost line of the user's own code. */
export function ownFrame({ frames }: RankStack): StackFrame | null {
  return frames.find(({ file }) => isOwnFile(file)) ?? null;
}
