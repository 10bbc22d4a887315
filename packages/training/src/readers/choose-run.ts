// A directory may hold several runs side by side (Lightning versions, W&B run directories, MLflow runs) or the same
// history many times (one state file per checkpoint). The latest is the one asked about.
import type { FoundFile } from './walk.js';

interface Family {
  /** Two groups: what the siblings share, and which sibling it is. */
  readonly pattern: RegExp;
  /** Whether names order runs by themselves; otherwise the newest file decides. */
  readonly order: (sibling: string, files: readonly FoundFile[]) => number;
}

const newest = (files: readonly FoundFile[]): number => Math.max(...files.map((file) => file.modified));
const trailingNumber = (sibling: string): number => Number(/(\d+)$/.exec(sibling)?.[1] ?? 0);

const families: readonly Family[] = [
  { pattern: /^(.*?)(version_\d+)\//, order: trailingNumber },
  // An elastic launcher starts all ranks again after a failure: the last attempt is the run.
  { pattern: /^(.*?)(attempt_\d+)\//, order: trailingNumber },
  {
    pattern: /^(.*?)((?:offline-)?run-\d{8}_\d{6}-[^/]+)\//,
    order: (sibling) => Number(/run-(\d{8})_(\d{6})/.exec(sibling)!.slice(1).join('')),
  },
  { pattern: /^((?:.*\/)?mlruns\/[^/]+\/)([0-9a-f]{32})\//, order: (_, files) => newest(files) },
  {
    pattern: /^(.*?)((?:checkpoint-\d+\/)?trainer_state\.json)$/,
    // A state file outside of checkpoints is written at the end: it holds everything the checkpoints hold.
    order: (sibling) =>
      sibling.startsWith('checkpoint-') ? trailingNumber(sibling.split('/')[0]!) : Number.POSITIVE_INFINITY,
  },
];

export function chooseRun(files: readonly FoundFile[]): FoundFile[] {
  let chosen = [...files];
  for (const family of families) {
    const groups = new Map<string, Map<string, FoundFile[]>>();
    const rest: FoundFile[] = [];
    for (const file of chosen) {
      const match = family.pattern.exec(file.path);
      if (match === null) {
        rest.push(file);
        continue;
      }
      const siblings = groups.get(match[1]!) ?? new Map<string, FoundFile[]>();
      groups.set(match[1]!, siblings);
      siblings.set(match[2]!, [...(siblings.get(match[2]!) ?? []), file]);
    }
    for (const siblings of groups.values()) {
      let best: { order: number; files: FoundFile[] } | null = null;
      for (const [sibling, siblingFiles] of siblings) {
        const order = family.order(sibling, siblingFiles);
        if (best === null || order > best.order) best = { order, files: siblingFiles };
      }
      if (best !== null) rest.push(...best.files);
    }
    chosen = rest;
  }
  return chosen.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}
