// The snapshot as it may leave the machine. It is built anew from what may be told: every fact that is not named here stays
// behind, and every text passes the disclosure of the request.
import {
  Disclosure,
  isHarmlessText,
  isSensitiveName,
  isVocabulary,
  type RedactionLevel,
  rounded,
  suffixOf,
} from '@grus/core';
import type { Literal, Member, ObjectFact, Snapshot, ValueFacts } from './schema.js';

type Structural = NonNullable<ObjectFact['structural']>;
type Representation = NonNullable<ObjectFact['representation']>;
type Values = NonNullable<ObjectFact['values']>;

/** Smallest number of elements of which a smallest and a largest tell no single one. */
const fewestElements = 8;

export function redactSnapshot(snapshot: Snapshot, allowed: RedactionLevel | Disclosure): Snapshot {
  const disclosure = typeof allowed === 'string' ? new Disclosure(allowed) : allowed;
  disclosure.addLabels(labelsOf(snapshot));
  const redact = new Redactor(disclosure);
  return {
    version: snapshot.version,
    python: snapshot.python,
    cwd: '',
    execution_count: snapshot.execution_count,
    objects: mapValues(snapshot.objects, (fact) => redact.object(fact)),
    names: redact.named(snapshot.names, (ref) => ref),
    builtins: redact.named(snapshot.builtins, (ref) => ref),
    absent: snapshot.absent.map((name) => disclosure.name(name)),
    namespace: [],
    paths: redact.named(snapshot.paths, (member) => redact.member(member)),
    modules: redact.named(snapshot.modules, ({ status, version, names }) => ({
      status,
      ...(version === undefined ? {} : { version: versionOf(version) }),
      names: redact.named(names, (member) => redact.member(member)),
    })),
    files: redact.files(snapshot.files),
    versions: redact.named(snapshot.versions, versionOf),
    answers: {},
    omitted: [],
  };
}

/** Columns and features: labels that literals of the code repeat. */
function* labelsOf({ objects }: Snapshot): Generator<string> {
  for (const { representation = {} } of Object.values(objects)) {
    for (const { label } of representation.columns ?? []) if (typeof label === 'string') yield label;
    yield* representation.feature_names_in ?? [];
  }
}

class Redactor {
  constructor(private readonly disclosure: Disclosure) {}

  object(fact: ObjectFact): ObjectFact {
    const { structural, representation, values } = fact;
    const shown = representation && this.representation(representation);
    return {
      kind: fact.kind,
      class: this.disclosure.className(fact.class),
      ...(fact.bases ? { bases: fact.bases.map((base) => this.disclosure.className(base)) } : {}),
      ...(structural ? { structural: this.structural(structural) } : {}),
      ...(shown ? { representation: shown } : {}),
      ...(values && this.disclosure.level !== 'shapes'
        ? { values: this.values(values, representation ?? {}) }
        : {}),
    };
  }

  structural(facts: Structural): Structural {
    const { disclosure } = this;
    const { layers, keys, entries, base_classes: bases, globals } = facts;
    return {
      ...pick(facts, harmlessStructure),
      ...(bases ? { base_classes: bases.map((name) => disclosure.className(name)) } : {}),
      ...(globals ? { globals: globals.map((name) => disclosure.name(name)) } : {}),
      ...(facts.version === undefined ? {} : { version: versionOf(facts.version) }),
      ...(facts.attributes ? { attributes: this.live(facts.attributes) } : {}),
      ...(facts.parameters ? { parameters: this.named(facts.parameters, (ref) => ref) } : {}),
      ...(keys ? this.keys(keys, entries ?? []) : {}),
      ...(layers
        ? {
            layers: layers.map((layer) => ({
              ...layer,
              name: disclosure.liveName(layer.name),
              class: disclosure.className(layer.class),
            })),
          }
        : {}),
    };
  }

  /** Keys are data as much as structure: only those that are words of the libraries' vocabulary stay below `values`. */
  keys(keys: readonly Literal[], entries: readonly string[]): Pick<Structural, 'keys' | 'entries'> {
    const kept = keys.flatMap((key, index) => {
      const shown =
        typeof key === 'string'
          ? this.disclosure.values
            ? isHarmlessText(key)
            : this.disclosure.isPublic(key)
          : this.disclosure.values || typeof key === 'boolean' || key === null;
      return shown ? [{ key, entry: entries[index] }] : [];
    });
    if (kept.length < keys.length) {
      // What the keys held is told without them.
      return kept.length === 0 ? {} : { keys: kept.map(({ key }) => key) };
    }
    return { keys: [...keys], ...(entries.length > 0 ? { entries: [...entries] } : {}) };
  }

  representation(facts: Representation): Representation {
    const { disclosure } = this;
    const { columns, dtypes, signature, index_names: names, feature_names_in: features, name } = facts;
    return {
      ...pick(facts, harmlessRepresentation),
      ...(facts.dtype === undefined ? {} : { dtype: dtypeOf(facts.dtype) }),
      ...(facts.index_dtype === undefined ? {} : { index_dtype: dtypeOf(facts.index_dtype) }),
      ...(facts.loss === undefined ? {} : { loss: disclosure.liveName(facts.loss) }),
      ...(dtypes ? { dtypes: dtypes.map(dtypeOf) } : {}),
      ...(signature
        ? {
            signature: signature.map((parameter) => ({
              ...parameter,
              name: disclosure.name(parameter.name),
            })),
          }
        : {}),
      ...(columns
        ? {
            columns: columns.map(({ label, dtype }) => ({ label: this.label(label), dtype: dtypeOf(dtype) })),
          }
        : {}),
      ...(names ? { index_names: names.map((label) => this.label(label)) } : {}),
      ...(features ? { feature_names_in: features.map((label) => disclosure.label(label)) } : {}),
      ...(name === undefined || name === null ? {} : { name: this.label(name) }),
      ...(facts.index_labels && disclosure.values
        ? { index_labels: facts.index_labels.filter((label) => isHarmless(label)) }
        : {}),
    };
  }

  values(values: Values, { columns, length, shape, name }: Representation): Values {
    const size = shape?.length ? shape.reduce<number>((all, side) => all * (side ?? 0), 1) : (length ?? 0);
    const rows = shape?.[0] ?? length ?? 0;
    const own = typeof name === 'string' ? name : null;
    return {
      ...this.valueFacts(values, own, size),
      ...(values.columns
        ? {
            columns: values.columns.map((facts, index) => {
              const label = columns?.[index]?.label;
              return this.valueFacts(facts, typeof label === 'string' ? label : null, rows);
            }),
          }
        : {}),
    };
  }

  valueFacts(facts: ValueFacts, under: string | null, size: number): ValueFacts {
    const open = this.disclosure.values && (under === null || !isSensitiveName(under));
    const { min, max, range, history, element_types: types } = facts;
    const ranged = typeof min === 'number' && typeof max === 'number' && (open || size >= fewestElements);
    const digits = open ? 15 : Math.max(Math.abs(Number(min)), Math.abs(Number(max))) < 1000 ? 3 : 2;
    return {
      ...pick(facts, counts),
      ...(types ? { element_types: types.map((name) => this.disclosure.className(name)) } : {}),
      ...(ranged && (under === null || !isSensitiveName(under))
        ? { min: rounded(min, digits), max: rounded(max, digits) }
        : {}),
      ...(range ? { range: range.map((value) => rounded(value, open ? 15 : 3)) } : {}),
      ...(history ? { history: this.live(history) } : {}),
      ...(open ? withoutSecrets(pick(facts, shownValues), under !== null && !repeats(facts, size)) : {}),
    };
  }

  member({ status, object, failed_at: failed, siblings }: Member): Member {
    return {
      status,
      ...(object === undefined ? {} : { object }),
      ...(failed === undefined ? {} : { failed_at: this.disclosure.liveName(failed) }),
      ...(siblings ? { siblings: siblings.map((name) => this.disclosure.liveName(name)) } : {}),
    };
  }

  /** A path tells users, hosts and customers: below `values` only what became of it is told. */
  files(files: Snapshot['files']): Snapshot['files'] {
    const told = Object.entries(files).map(([path, { status, parent, readable }], index) => [
      this.disclosure.values && isHarmlessText(path) ? path : kindOfPath(path, index),
      {
        status,
        ...(parent === undefined ? {} : { parent }),
        ...(readable === undefined ? {} : { readable }),
      },
    ]);
    return Object.fromEntries(told);
  }

  label(label: Literal): Literal {
    if (typeof label === 'string') return this.disclosure.label(label);
    if (typeof label === 'number') return rounded(label, 4);
    if (Array.isArray(label)) return (label as readonly Literal[]).map((part) => this.label(part));
    return label === null || typeof label === 'boolean' ? label : { special: '<label>' };
  }

  named<Value, Shown>(
    entries: Readonly<Record<string, Value>>,
    show: (value: Value) => Shown,
  ): Record<string, Shown> {
    return Object.fromEntries(
      Object.entries(entries).map(([name, value]) => [this.dotted(name), show(value)]),
    );
  }

  /** Names of the live objects. */
  live<Value>(entries: Readonly<Record<string, Value>>): Record<string, Value> {
    return Object.fromEntries(
      Object.entries(entries).map(([name, value]) => [this.disclosure.liveName(name), value]),
    );
  }

  /** A name of the code, or a path of attributes that the code follows. */
  dotted(path: string): string {
    return path
      .split('.')
      .map((part) => this.disclosure.name(part))
      .join('.');
  }
}

const harmlessStructure = [
  ...([
    'defined_in',
    'source_line',
    'dynamic_attributes',
    'descriptor',
    'items',
    'default',
    'dynamic_keys',
  ] as const),
  ...(['complete', 'hooked', 'fitted', 'compiled', 'built', 'training', 'related'] as const),
] as const satisfies readonly (keyof Structural)[];

const harmlessRepresentation = [
  ...([
    'shape',
    'ndim',
    'length',
    'device',
    'requires_grad',
    'callable',
    'iterable',
    'subscriptable',
  ] as const),
  ...([
    'hashable',
    'is_async',
    'columns_complete',
    'columns_levels',
    'columns_ordered',
    'index_unique',
  ] as const),
  ...([
    'index_labels_complete',
    'index_range',
    'n_features_in',
    'n_outputs',
    'input_shape',
    'output_shape',
  ] as const),
  ...(['element_spec', 'input_spec', 'stored', 'grid', 'vocabulary_size', 'bytes'] as const),
] as const satisfies readonly (keyof Representation)[];

/** Facts that count values without showing one. */
const counts = [
  ...(['has_nan', 'nan_count', 'has_inf', 'unique', 'ragged', 'longest', 'exhaustive', 'exhausted'] as const),
] as const satisfies readonly (keyof ValueFacts)[];

const shownValues = [
  ...([
    'literal',
    'cut',
    'examples',
    'examples_complete',
    'classes',
    'classes_complete',
    'categories',
  ] as const),
  ...(['categories_complete', 'rejected_by', 'nan_position', 'rarest', 'commonest'] as const),
] as const satisfies readonly (keyof ValueFacts)[];

function pick<Facts extends object, Key extends keyof Facts>(
  facts: Facts,
  keys: readonly Key[],
): Partial<Pick<Facts, Key>> {
  return Object.fromEntries(
    keys.filter((key) => facts[key] !== undefined).map((key) => [key, facts[key]]),
  ) as Partial<Pick<Facts, Key>>;
}

function mapValues<Value, Shown>(
  record: Readonly<Record<string, Value>>,
  show: (value: Value) => Shown,
): Record<string, Shown> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, show(value)]));
}

function versionOf(version: string): string {
  return /^\d{1,5}(?:\.\d{1,5}){0,3}[a-z0-9.+]{0,12}$/.test(version) ? version : '?';
}

/** A dtype of a library; the fields of a structured one are names of somebody's data. */
function dtypeOf(dtype: string): string {
  const known = /^[<>|=]?[A-Za-z]{1,16}\d{0,3}(?:\[[A-Za-z0-9, /_]{1,24}\])?$/.test(dtype);
  const dotted = /^(?:torch|tf|jnp|numpy)\.[a-z]{1,12}\d{0,3}$/.test(dtype);
  return known || dotted ? dtype : '<dtype>';
}

function kindOfPath(path: string, index: number): string {
  const suffix = suffixOf(path);
  return `<path ${index + 1}${suffix === '' ? '' : ` ending in ${suffix}`}>`;
}

function isHarmless(value: Literal): boolean {
  if (typeof value === 'string') return isHarmlessText(value);
  if (Array.isArray(value)) return (value as readonly Literal[]).every(isHarmless);
  return (
    typeof value !== 'object' || value === null || isHarmlessText((value as { special: string }).special)
  );
}

/** Whether the values of a column are categories: each stands in several rows. Names and secrets differ from row to row. */
function repeats({ unique }: ValueFacts, rows: number): boolean {
  return unique !== undefined && unique * 2 <= rows;
}

/**
 * Texts that look like secrets are left out, wherever they lie in the facts. Of texts that are `own` to each row, whatever
 * they look like, only short numbers, the form of dates and the like, and words of libraries stay.
 */
function withoutSecrets<Value>(value: Value, own: boolean): Value {
  if (typeof value === 'string')
    return (isHarmlessText(value) ? (own ? impersonal(value) : value) : '[removed]') as Value;
  if (Array.isArray(value)) return value.map((entry) => withoutSecrets(entry, own)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key, withoutSecrets(entry, own)]),
  ) as Value;
}

/** What a text says without saying whose it is: of a date or a telephone number its form, "9999-99-99". */
function impersonal(text: string): string {
  if (text === '' || isVocabulary(text)) return text;
  if (text.length > 24 || !/^[\d\s.,:+\-/%$€£eE]+$/.test(text)) return '[removed]';
  return text.replace(/\D/g, '').length <= 6 ? text : text.replace(/\d/g, '9');
}
