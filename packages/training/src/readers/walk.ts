// Finds the files of a run: bounded in number and depth, never through links that lead back, and past what is
// certainly no log (weights, images, archives, environments).
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

const maxFiles = 20_000;
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
const skippedSuffix =
  /\.(pt|pth|ckpt|safetensors|bin|onnx|h5|hdf5|keras|npz|npy|pkl|pickle|parquet|arrow|zip|gz|xz|bz2|zst|tar|tgz|png|jpe?g|gif|webp|svg|mp4|wav|pdf|so|whl|lock|tmp|pyc|py|ipynb|js|css|html|model|tflite|index|data-\d+-of-\d+|db-journal|db-wal|db-shm)$/i;

export interface FoundFile {
  /** Relative, with forward slashes. */
  readonly path: string;
  readonly absolute: string;
  readonly size: number;
  readonly modified: number;
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
    for (const entry of entries) {
      const path = relative === '' ? entry.name : `${relative}/${entry.name}`;
      const absolute = join(directory, entry.name);
      if (entry.isDirectory()) {
        if (depth < maxDepth && !skippedDirectories.has(entry.name)) await visit(absolute, path, depth + 1);
      } else if (entry.isFile() && !skippedSuffix.test(entry.name)) {
        if (files.length >= maxFiles) {
          left++;
          continue;
        }
        const stats = await lstat(absolute).catch(() => null);
        if (stats) files.push({ path, absolute, size: stats.size, modified: stats.mtimeMs });
      }
    }
  };
  await visit(root, '', 0);
  return { files, left };
}

async function readEntries(directory: string) {
  const entries = await readdir(directory, { withFileTypes: true });
  return entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}
