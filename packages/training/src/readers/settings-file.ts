// Settings in files of their own: hparams.yaml, config.yaml (plain or with W&B's {value: …} wrapping), args.json,
// config.json, adapter and DeepSpeed configurations.
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { parseTolerantJson } from './bytes/tolerant-json.js';
import type { FileRecord } from './collect/file-record.js';
import { placesIn } from './collect/places.js';
import { defineReader } from './reader.js';
import { readCurves } from './rows/json-document.js';

const maxSize = 2 * 1024 * 1024;
/** A list in a file of such a name is set, not measured; curves in JSON have a reader of their own. */
const holdsSettings = /conf|param|setting|args|option|\.json$/;

export const settingsFile = defineReader({
  id: 'settings-file',
  title: 'settings',
  rewritten: true,
  fidelity: 0,
  matches: ({ name, text, size }) => {
    if (size > maxSize || name === 'meta.yaml') return false;
    if (/\.ya?ml$/.test(name)) return true;
    return name.endsWith('.json') && text.trimStart().startsWith('{');
  },
  readPath: async (record, path) => {
    const name = basename(path).toLowerCase();
    const text = await readFile(path, 'utf8');
    const value = name.endsWith('.json') ? parseTolerantJson(text) : await parseYaml(record, text);
    if (value === undefined) record.note('corrupt', 'neither JSON nor YAML: not read', -1);
    else if (name === 'wandb-metadata.json') readMetadata(record, value);
    else if (name !== 'wandb-summary.json' && (holdsSettings.test(name) || !readCurves(record, value))) {
      const places = placesIn(value).flatMap(({ ranks, host }) => ranks.map((rank) => ({ rank, host })));
      for (const { rank, host } of places.length > 1 ? places : [])
        record.seat({ rank, host, device: null, pid: null });
      record.settingTree('', unwrap(value), -1);
    }
  },
});

/** The YAML parser is loaded for the first YAML file: most runs have none, and starting must be quick. */
async function parseYaml(record: FileRecord, text: string): Promise<unknown> {
  const { parseDocument } = await import('yaml');
  // Lightning writes Python objects as tagged YAML; unknown tags become plain values instead of errors.
  const document = parseDocument(text, { logLevel: 'silent', uniqueKeys: false, strict: false });
  if (document.errors.length > 0) record.note('corrupt', document.errors[0]!.message.split('\n')[0]!, -1);
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch {
    return undefined;
  }
}

/** W&B's config.yaml says `lr: {value: 0.1, desc: null}`. */
function unwrap(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  const entries = Object.entries(value).filter(([key]) => key !== '_wandb' && key !== 'wandb_version');
  return Object.fromEntries(
    entries.map(([key, item]) => {
      const isWrapped =
        item !== null && typeof item === 'object' && 'value' in item && Object.keys(item).length <= 2;
      return [key, isWrapped ? (item as { value: unknown }).value : item];
    }),
  );
}

function readMetadata(record: FileRecord, value: unknown): void {
  if (value === null || typeof value !== 'object') return;
  const metadata = value as Record<string, unknown>;
  if (typeof metadata['python'] === 'string')
    record.version('python', metadata['python'].replace(/^C?Python /, ''), -1);
  if (typeof metadata['cudaVersion'] === 'string') record.version('cuda', metadata['cudaVersion'], -1);
  if (typeof metadata['cuda'] === 'string') record.version('cuda', metadata['cuda'], -1);
  if (typeof metadata['cpu_count'] === 'number') record.cpuCount = metadata['cpu_count'];
  if (typeof metadata['host'] === 'string') record.hosts.add(metadata['host']);
  const memory = metadata['memory'] as { total?: unknown } | undefined;
  if (memory && Number(memory.total) > 0)
    record.hostMemory = Number(memory.total) * (Number(memory.total) < 1e6 ? 2 ** 30 : 1);
  const gpus = metadata['gpu_nvidia'] ?? metadata['gpuNvidia'];
  if (!Array.isArray(gpus)) return;
  for (const [index, gpu] of gpus.slice(0, 64).entries()) {
    const { name, memory_total, memoryTotal } = gpu as Record<string, unknown>;
    const total = Number(memory_total ?? memoryTotal);
    record.gpus.push({
      index,
      name: typeof name === 'string' ? name : null,
      memoryTotal: total > 0 ? total : null,
      at: record.at(-1),
    });
  }
}
