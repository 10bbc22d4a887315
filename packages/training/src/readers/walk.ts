// Finds the files of a run: bounded in number and depth, never through links that lead back, and past what is
// certainly no log (weights, images, archives, environments).
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

const maxFiles = 100_000;
const maxDepth = 12;
const skippedDirectories = new Set([
  '.git',
  'node_modules',
  '__pycache__',
  '.venv',
  'venv',
  '.ipynb_checkpoints',
  'site-packages',
]);
/** Compressed logs are read; what was no log before it was compressed is not. */
const skippedSuffix =
  /\.(pt|pth|ckpt|safetensors|bin|onnx|h5|hdf5|keras|npz|npy|(?<!rank[-_]?\d{1,6}\.)(?:pkl|pickle)|parquet|arrow|zip|xz|bz2|tar|tgz|png|jpe?g|gif|webp|svg|mp4|wav|pdf|so|whl|lock|tmp|pyc|py|ipynb|js|css|html|model|tflite|index|data-\d+-of-\d+|db-journal|db-wal|db-shm)(?:\.(?:gz|zst))?$/i;

/** Whether a file of this path would be read, as far as its name can tell. */
export function mayBeOfRun(path: string): boolean {
  const folders = path.split('/');
  const name = folders.pop()!;
  return (
    folders.length <= maxDepth &&
    !skippedSuffix.test(name) &&
    !folders.some((folder) => skippedDirectories.has(folder))
  );
}

export interface FoundFile {
  /** Relative, with forward slashes. */
  readonly path: string;
  readonly absolute: string;
  readonly size: number;
  readonly modified: number;
  /** Where the bytes come from when they are in no file: a cell of a notebook. */
  readonly content?: Buffer;
  /** Where they come from when they can be read once only: a pipe. */
  readonly stream?: AsyncIterable<Buffer>;
  /** What is known of the run from elsewhere. */
  readonly settings?: Readonly<Record<string, number | string>>;
}

export async function walkRun(
  root: string,
  signal?: AbortSignal,
): Promise<{ files: FoundFile[]; left: number }> {
  const files: FoundFile[] = [];
  let left = 0;
  const visit = async (directory: string, relative: string, depth: number): Promise<void> => {
    signal?.throwIfAborted();
    let entries: Awaited<ReturnType<typeof readEntries>>;
    try {
      entries = await readEntries(directory);
    } catch {
      return;
    }
    const sizes = await Promise.all(
      entries.map((entry) =>
        entry.isFile() && !skippedSuffix.test(entry.name)
          ? lstat(join(directory, entry.name)).catch(() => null)
          : null,
      ),
    );
    for (const [at, entry] of entries.entries()) {
      const path = relative === '' ? entry.name : `${relative}/${entry.name}`;
      const absolute = join(directory, entry.name);
      const stats = sizes[at];
      if (entry.isDirectory()) {
        if (depth < maxDepth && !skippedDirectories.has(entry.name)) await visit(absolute, path, depth + 1);
      } else if (stats && files.length >= maxFiles) left++;
      else if (stats) files.push({ path, absolute, size: stats.size, modified: stats.mtimeMs });
    }
  };
  await visit(root, '', 0);
  return { files, left };
}

async function readEntries(directory: string) {
  const entries = await readdir(directory, { withFileTypes: true });
  return entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}
