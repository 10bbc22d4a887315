// What is known of a run beside its curves: settings, versions, machines, times. Comparisons and counts read it.
import type { RunRecord } from '@grus/training';

export interface RunFacts {
  readonly settings: Readonly<Record<string, string | number | boolean | null>>;
  /** What the run printed about itself: numbers of examples, of parameters. */
  readonly told: Readonly<Record<string, string | number | boolean | null>>;
  readonly versions: Readonly<Record<string, string>>;
  readonly gpus: readonly string[];
  readonly hosts: readonly string[];
  readonly worldSize: number | null;
  readonly cpuCount: number | null;
  readonly hostMemory: number | null;
  readonly framework: string | null;
  readonly lastStep: number | null;
  readonly plannedSteps: number | null;
  /** Milliseconds since the epoch. */
  readonly startTime: number | null;
  readonly endTime: number | null;
}

const mostSettings = 500;
const longestText = 400;
/** The one that a person would name first. */
const frameworks = ['transformers', 'lightning', 'pytorch-lightning', 'keras', 'tensorflow', 'jax', 'torch'];

export function factsOf(record: RunRecord): RunFacts {
  const versions = Object.fromEntries(record.versions.map(({ name, version }) => [name, version]));
  const { gpus, hosts, worldSize, cpuCount, hostMemory } = record.hardware;
  return {
    settings: valuesOf(record, 'setting'),
    told: valuesOf(record, 'fact'),
    versions,
    gpus: gpus.map(({ name }) => name ?? 'a GPU'),
    hosts,
    worldSize,
    cpuCount,
    hostMemory,
    framework: frameworks.find((name) => name in versions) ?? null,
    lastStep: record.lastStep,
    plannedSteps: record.plannedSteps,
    startTime: record.startTime,
    endTime: record.endTime,
  };
}

function valuesOf(record: RunRecord, kind: 'setting' | 'fact'): RunFacts['settings'] {
  const chosen = record.settings.filter((setting) => setting.kind === kind).slice(0, mostSettings);
  return Object.fromEntries(
    chosen.map(({ key, value }) => [key, typeof value === 'string' ? value.slice(0, longestText) : value]),
  );
}

/** How long the machines were held; null where the run was not timed or had no GPU. */
export function gpuHours({ startTime, endTime, gpus, worldSize }: RunFacts): number | null {
  const devices = Math.max(gpus.length, gpus.length > 0 ? (worldSize ?? 0) : 0);
  if (startTime === null || endTime === null || devices === 0) return null;
  return ((endTime - startTime) / 3_600_000) * devices;
}
