// What differs between two runs beside their curves: settings, what they say of their data, libraries, machines. Each is told
// once, however many files say it.
import { isSensitiveName, removeSecrets } from '@grus/core';
import { finiteValues, toCurve } from '../features/curve.js';
import { median } from '../features/robust.js';
import { canonicalName, simplify } from '../record/query.js';
import {
  findSeries,
  type MetricName,
  type RunRecord,
  type Setting,
  type SettingValue,
} from '../record/run-record.js';
import type { Difference } from './define.js';
import { isOptimizer, type Lever, leverOf } from './levers.js';

export type Unweighed = Omit<Difference, 'weight' | 'change' | 'measured'> & { readonly measured?: true };

export interface Compared {
  readonly differences: readonly Unweighed[];
  readonly notCompared: readonly string[];
}

export function differencesOf(before: RunRecord, after: RunRecord): Compared {
  const settings = settingsApart(before, after);
  const named = new Set(settings.differences.map(({ name }) => canonicalName(name) ?? name));
  return {
    differences: [
      ...settings.differences.map(withoutSecrets),
      // What both runs state as a setting, a curve only follows.
      ...givenApart(before, after).filter(({ name }) => !named.has(name) && !isStated(name, before, after)),
      ...librariesApart(before, after),
      ...machinesApart(before, after),
    ],
    notCompared: [
      ...settings.notCompared,
      ...oneSided('library versions', before.versions.length, after.versions.length),
    ],
  };
}

/** A key or a password that changed is told, and not shown. A commit looks like one, and is none. */
function withoutSecrets({ name, before, after, ...rest }: Unweighed): Unweighed {
  const hidden = (value: SettingValue): SettingValue =>
    typeof value !== 'string' || rest.lever === 'code'
      ? value
      : isSensitiveName(name)
        ? '[removed]'
        : removeSecrets(value);
  return { name, before: hidden(before), after: hidden(after), ...rest };
}

function isStated(name: string, ...records: readonly RunRecord[]): boolean {
  return records.every(({ settings }) => settings.some(({ key }) => canonicalName(key) === name));
}

function oneSided(what: string, before: number, after: number): string[] {
  if (before === 0 && after === 0) return [what];
  return before === 0 || after === 0
    ? [`${what}, which only the ${before === 0 ? 'second' : 'first'} run records`]
    : [];
}

/** Settings by key, and where a key is in one run only, by what it means: `lr` of one is `learning_rate` of the other. */
function settingsApart(before: RunRecord, after: RunRecord): Compared {
  const [old, now] = [byKey(before), byKey(after)];
  const notCompared = oneSided('settings', old.size, now.size);
  if (notCompared.length > 0) return { differences: [], notCompared };
  const differences: Unweighed[] = [];
  const oneRunOnly: Unweighed[] = [];
  let matched = 0;
  const lone = new Map([...old].filter(([key]) => !now.has(key)));
  for (const [key, { key: name, value, kind }] of now) {
    const match = old.get(key) ?? sameMeaning(lone, name);
    if (match) {
      lone.delete(simplify(match.key));
      matched += 1;
    }
    if (isSame(match?.value ?? null, value)) continue;
    (match ? differences : oneRunOnly).push({
      aspect: kind === 'fact' ? 'data' : 'setting',
      name,
      before: match?.value ?? null,
      after: value,
      lever: leverFor(name, match?.value ?? null, value),
    });
  }
  for (const { key: name, value, kind } of lone.values()) {
    if (isSame(value, null)) continue;
    oneRunOnly.push({
      aspect: kind === 'fact' ? 'data' : 'setting',
      name,
      before: value,
      after: null,
      lever: leverFor(name, value, null),
    });
  }
  // Where most settings are in one run only, the other records less: that something is missing there says nothing.
  if (oneRunOnly.length <= matched)
    return { differences: told([...differences, ...oneRunOnly]), notCompared: [] };
  return {
    differences: told(differences),
    notCompared: [`settings that only one of the runs records (${oneRunOnly.length})`],
  };
}

/** A file may say `lr` where another says `optimizer.lr`: the fuller name is kept. */
function told(differences: readonly Unweighed[]): Unweighed[] {
  const agree = (a: SettingValue, b: SettingValue): boolean => b === null || isSame(a, b);
  const isFuller = (one: Unweighed, other: Unweighed): boolean =>
    simplify(one.name).endsWith(`.${simplify(other.name)}`) &&
    agree(one.before, other.before) &&
    agree(one.after, other.after);
  return differences.filter((one) => !differences.some((other) => isFuller(other, one)));
}

function byKey(record: RunRecord): Map<string, Setting> {
  const found = new Map<string, Setting>();
  for (const setting of record.settings) {
    const key = simplify(setting.key);
    if (!found.has(key)) found.set(key, setting);
  }
  return found;
}

function sameMeaning(lone: ReadonlyMap<string, Setting>, name: string): Setting | undefined {
  const meaning = canonicalName(name);
  if (meaning === null) return undefined;
  return [...lone.values()].find(
    ({ key }) => canonicalName(key) === meaning && isShare(key) === isShare(name),
  );
}

/** `warmup_ratio` is no `warmup_steps`. */
const isShare = (key: string): boolean => /(ratio|fraction)$/i.test(key);

function isSame(a: SettingValue, b: SettingValue): boolean {
  const [x, y] = [plain(a), plain(b)];
  if (Object.is(x, y)) return true;
  if (typeof x === 'number' && typeof y === 'number' && !(Number.isInteger(x) && Number.isInteger(y)))
    return Math.abs(x - y) <= 1e-9 * Math.max(Math.abs(x), Math.abs(y));
  return false;
}

/** Files write `1e-3`, "0.001", True and true. */
export function plain(value: SettingValue): SettingValue {
  if (typeof value !== 'string') return value;
  const text = value.trim();
  const isTooLong = /^[+-]?\d+$/.test(text) && !Number.isSafeInteger(Number(text));
  if (text !== '' && Number.isFinite(Number(text)) && !isTooLong) return Number(text);
  const lower = text.toLowerCase();
  if (lower === 'true' || lower === 'false') return lower === 'true';
  return lower === 'none' || lower === 'null' || lower === '' ? null : text;
}

/** What is the name of an optimizer is one, whatever it is called; the same file in another folder is the same file. */
function leverFor(name: string, before: SettingValue, after: SettingValue): Lever | null {
  if (isOptimizer(before) && isOptimizer(after)) return 'steps';
  const lever = isVersion(name, before, after) ? libraryOr(name) : leverOf(name);
  if (lever === null || typeof before !== 'string' || typeof after !== 'string') return lever;
  const [a, b] = [before, after].map((path) => path.replaceAll('\\', '/').split('/'));
  return a!.length > 1 && b!.length > 1 && a!.at(-1) === b!.at(-1) ? 'other' : lever;
}

/** `pandas-version: 2.1` is a library's, `dataset_version: 1.2` is not. */
function libraryOr(name: string): Lever | null {
  const lever = leverOf(name.replace(/[^a-z0-9]*version$/i, ''));
  return lever === 'other' ? 'library' : lever;
}

/** `pandas-version: 2.1`, `env.torch: 2.1.0`, among the settings; `server: 10.0.0.1` is none. */
function isVersion(name: string, ...values: readonly SettingValue[]): boolean {
  const version = /version$/i.test(name) ? /^v?\d+(\.\d+)+/ : /^\d+\.\d+\.\d+(?!\.?\d)/;
  return values.every((value) => version.test(String(value)));
}

/** What goes into training and is logged while it goes on; what comes out of it is no cause. */
const given: readonly (readonly [metric: MetricName, lever: Lever])[] = [
  ['learning_rate', 'steps'],
  ['momentum', 'steps'],
  ['weight_decay', 'regularisation'],
  ['batch_size', 'batch'],
  ['sequence_length', 'batch'],
  ['input_mean', 'data'],
  ['input_std', 'data'],
  ['input_nan_fraction', 'data'],
  ['ignored_target_fraction', 'data'],
  ['token_max', 'data'],
  ['label_max', 'data'],
  ['label_min', 'data'],
  ['majority_share', 'data'],
  ['target_variance', 'data'],
];

/** Further apart than batches of the same data are. */
const apartBy = 0.25;

function givenApart(before: RunRecord, after: RunRecord): Unweighed[] {
  return given.flatMap(([metric, lever]) => {
    const [a, b] = [levelOf(before, metric), levelOf(after, metric)];
    if (a === null || b === null || Math.abs(a - b) <= apartBy * Math.max(Math.abs(a), Math.abs(b), 1e-12))
      return [];
    const deviation = metric === 'input_mean' ? levelOf(before, 'input_std') : null;
    if (deviation !== null && Math.abs(a - b) <= apartBy * deviation) return [];
    return [
      {
        aspect: lever === 'data' ? ('data' as const) : ('setting' as const),
        name: metric,
        before: a,
        after: b,
        lever,
        measured: true as const,
      },
    ];
  });
}

/** Of rates the peak, since schedules move them; of the rest the middle. */
function levelOf(record: RunRecord, metric: MetricName): number | null {
  const series = findSeries(record, metric);
  const values = series ? finiteValues(toCurve(series)) : [];
  if (values.length === 0) return null;
  return metric === 'learning_rate' ? values.reduce((a, b) => Math.max(a, b)) : median(values);
}

function librariesApart(before: RunRecord, after: RunRecord): Unweighed[] {
  const [old, now] = [before, after].map(
    ({ versions }) => new Map(versions.map(({ name, version }) => [name, version])),
  );
  return [...now!].flatMap(([name, version]) => {
    const match = old!.get(name);
    return match === undefined || match === version
      ? []
      : [{ aspect: 'environment' as const, name, before: match, after: version, lever: 'library' as const }];
  });
}

function machinesApart(before: RunRecord, after: RunRecord): Unweighed[] {
  const described = ({ hardware }: RunRecord): Record<MachinePart, SettingValue> => ({
    GPU:
      [...new Set(hardware.gpus.map(({ name }) => name ?? ''))].filter((name) => name !== '').join(', ') ||
      null,
    GPUs: hardware.gpus.length || null,
    'GPU memory': hardware.gpus[0]?.memoryTotal ?? null,
    processes: hardware.worldSize,
    'host memory': hardware.hostMemory,
    cores: hardware.cpuCount,
    hosts: hardware.hosts.join(', ') || null,
  });
  const [old, now] = [described(before), described(after)];
  return (Object.keys(machineLevers) as MachinePart[]).flatMap((name) => {
    const [match, value] = [old[name], now[name]];
    return match === null || value === null || match === value
      ? []
      : [{ aspect: 'hardware' as const, name, before: match, after: value, lever: machineLevers[name] }];
  });
}

/** More processes see more examples in a step; the name of a host explains nothing. */
const machineLevers = {
  GPU: 'machine',
  GPUs: 'machine',
  'GPU memory': 'machine',
  processes: 'batch',
  'host memory': 'loading',
  cores: 'loading',
  hosts: null,
} as const satisfies Readonly<Record<string, Lever | null>>;
type MachinePart = keyof typeof machineLevers;
