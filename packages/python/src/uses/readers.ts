// Callables that read a file named by an argument and raise when it is not there.

export interface FileReader {
  /** Public qualified name: "pandas.read_csv". */
  readonly callee: string;
  /** Position and keywords of the file argument. */
  readonly position: number;
  readonly keywords: readonly string[];
  /** What the path must be for the call not to fail at once. */
  readonly wants: 'file' | 'directory' | 'any';
  /** Keyword and position of an argument whose value decides whether the file is created (`open(x, "w")`). */
  readonly mode?: { readonly keyword: string; readonly position: number };
  /** The file is made by the call; only its folder must be there. */
  readonly creates?: true;
  /** What is raised, and said, of a missing folder by a call that makes a file; by default what `open` says. */
  readonly withoutFolder?: { readonly exception: string; readonly message: (folder: string) => string };
  /** URLs, compressed members or globs are accepted as well as local names. */
  readonly acceptsUrl: boolean;
  /** The exception that names the missing file. */
  readonly exception: string;
}

function reader(callee: string, keywords: readonly string[], extra: Partial<FileReader> = {}): FileReader {
  return {
    callee,
    position: 0,
    keywords,
    wants: 'file',
    acceptsUrl: false,
    exception: 'FileNotFoundError',
    ...extra,
  };
}

const url = { acceptsUrl: true };
const pandasFolder = {
  exception: 'OSError',
  message: (folder: string) => `Cannot save file into a non-existent directory: '${folder}'`,
};
const torchFolder = {
  exception: 'RuntimeError',
  message: (folder: string) => `Parent directory ${folder} does not exist.`,
};
const mode = { keyword: 'mode', position: 1 };

export const fileReaders: readonly FileReader[] = [
  reader('open', ['file'], { mode }),
  reader('io.open', ['file'], { mode }),
  reader('gzip.open', ['filename'], { mode }),
  reader('bz2.open', ['filename'], { mode }),
  reader('lzma.open', ['filename'], { mode }),
  reader('codecs.open', ['filename'], { mode }),
  reader('zipfile.ZipFile', ['file'], { mode }),
  reader('tarfile.open', ['name'], { mode }),
  reader('os.listdir', ['path'], { wants: 'directory' }),
  reader('os.scandir', ['path'], { wants: 'directory' }),
  reader('os.chdir', ['path'], { wants: 'directory' }),
  reader('os.remove', ['path']),
  reader('os.unlink', ['path']),
  reader('os.stat', ['path'], { wants: 'any' }),
  reader('os.path.getsize', ['filename'], { wants: 'any' }),
  reader('os.path.getmtime', ['filename'], { wants: 'any' }),
  reader('shutil.copy', ['src']),
  reader('shutil.copyfile', ['src']),
  reader('shutil.rmtree', ['path'], { wants: 'directory' }),
  reader('pandas.read_csv', ['filepath_or_buffer'], url),
  reader('pandas.read_table', ['filepath_or_buffer'], url),
  reader('pandas.read_fwf', ['filepath_or_buffer'], url),
  reader('pandas.read_excel', ['io'], url),
  reader('pandas.read_json', ['path_or_buf'], url),
  reader('pandas.read_pickle', ['filepath_or_buffer'], url),
  reader('pandas.read_parquet', ['path'], url),
  reader('pandas.read_feather', ['path'], url),
  reader('pandas.read_hdf', ['path_or_buf'], url),
  reader('pandas.read_stata', ['filepath_or_buffer'], url),
  reader('pandas.ExcelFile', ['path_or_buffer'], url),
  reader('numpy.load', ['file']),
  reader('numpy.loadtxt', ['fname'], url),
  reader('numpy.genfromtxt', ['fname'], url),
  reader('numpy.fromfile', ['file']),
  reader('torch.load', ['f']),
  reader('joblib.load', ['filename']),
  reader('PIL.Image.open', ['fp']),
  reader('matplotlib.pyplot.imread', ['fname'], url),
  reader('matplotlib.image.imread', ['fname'], url),
  reader('matplotlib.pyplot.savefig', ['fname'], { creates: true }),
  reader('numpy.save', ['file'], { creates: true }),
  reader('numpy.savez', ['file'], { creates: true }),
  reader('numpy.savez_compressed', ['file'], { creates: true }),
  reader('numpy.savetxt', ['fname'], { creates: true }),
  reader('torch.save', ['f'], { creates: true, position: 1, withoutFolder: torchFolder }),
  reader('joblib.dump', ['filename'], { creates: true, position: 1 }),
  reader('scipy.io.loadmat', ['file_name']),
  reader('polars.read_csv', ['source'], url),
  reader('polars.read_parquet', ['source'], url),
  reader('polars.read_json', ['source'], url),
];

/** Methods of frames and series that write a file. */
export const frameWriters: ReadonlyMap<string, FileReader> = new Map(
  ['to_csv', 'to_json', 'to_pickle', 'to_parquet', 'to_feather', 'to_html'].map((method) => [
    method,
    reader(method, ['path_or_buf', 'path', 'buf'], { ...url, creates: true, withoutFolder: pandasFolder }),
  ]),
);

/** Methods of a `pathlib` path that read it. */
export const pathReaders: ReadonlyMap<string, Pick<FileReader, 'wants' | 'mode'>> = new Map([
  ['read_text', { wants: 'file' }],
  ['read_bytes', { wants: 'file' }],
  ['open', { wants: 'file', mode: { keyword: 'mode', position: 0 } }],
  ['iterdir', { wants: 'directory' }],
  ['stat', { wants: 'any' }],
  ['unlink', { wants: 'file' }],
]);

const byLeaf = new Map<string, FileReader[]>();
for (const entry of fileReaders) {
  const leaf = entry.callee.slice(entry.callee.lastIndexOf('.') + 1);
  byLeaf.set(leaf, [...(byLeaf.get(leaf) ?? []), entry]);
}

/** Readers whose last name part is that of the callee: enough to know which files to ask about. */
export function readersNamed(path: string): readonly FileReader[] {
  return byLeaf.get(path.slice(path.lastIndexOf('.') + 1)) ?? [];
}
