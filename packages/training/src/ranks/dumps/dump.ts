// What one rank's flight recorder kept: the collectives it called, in order, and the process groups they ran in. Written by
// PyTorch as a pickle or as JSON (versions 2.0 to 2.10); a field that a version lacks is null here.
import { Batches } from './batches.js';
import type { Call, CallFrame } from './call.js';
import { Dictionary, Key, type Plain } from './pickle.js';

export interface ProcessGroup {
  readonly name: string;
  readonly description: string;
  /** Null when the recorder did not say; Gloo's does not. */
  readonly ranks: readonly number[] | null;
}

export interface RankDump {
  readonly rank: number;
  readonly file: string;
  readonly groups: readonly ProcessGroup[];
  readonly calls: readonly Call[];
  /** Whether each call says how far it came; Gloo's recorder does not. */
  readonly keepsStates: boolean;
  /** Whether the recorder has overwritten its oldest calls. */
  readonly isCut: boolean;
}

/** The fields of a dump that are read. */
const keys = {
  entries: new Key('entries'),
  record: new Key('record_id'),
  groups: new Key('pg_config'),
  status: new Key('pg_status'),
  completed: new Key('last_completed_collective'),
  groupNumber: new Key('pg_id'),
  name: new Key('name'),
  description: new Key('desc'),
  ranks: new Key('ranks'),
  group: new Key('process_group'),
  operation: new Key('profiling_name'),
  pair: new Key('is_p2p'),
  oldTurn: new Key('seq_id'),
  state: new Key('state'),
  created: new Key('time_created_ns'),
  started: new Key('time_discovered_started_ns'),
  duration: new Key('duration_ms'),
  ended: new Key('time_discovered_completed_ns'),
  inputs: new Key('input_sizes'),
  outputs: new Key('output_sizes'),
  types: new Key('input_dtypes'),
  frames: new Key('frames'),
  file: new Key('filename'),
  line: new Key('line'),
  turn: new Key('collective_seq_id'),
  pairTurn: new Key('p2p_seq_id'),
};

/** Null when the value is no dump of a flight recorder. */
export function dumpOf(value: Plain, rank: number, file: string): RankDump | null {
  const entries = field(value, keys.entries);
  const config = field(value, keys.groups);
  if (!Array.isArray(entries) || !(config instanceof Dictionary)) return null;
  const groups = new Map<string, ProcessGroup>();
  for (const entry of config.values()) {
    const group = groupOf(entry);
    if (group !== null) groups.set(group.name, group);
  }
  const seen = new Seen();
  const batches = new Batches();
  let last: string | null = null;
  for (const entry of entries) {
    const name = groupName(entry);
    if (name === null) continue;
    if (name !== last && !groups.has(name))
      groups.set(name, { name, description: groupTitle(entry), ranks: null });
    if (name !== last) last = seen.text(name);
    const call = callOf(entry, last, seen);
    if (call === null) continue;
    const [turn, pairTurn] = [number(field(entry, keys.turn)), number(field(entry, keys.pairTurn))];
    batches.add(call, turn ?? call.sequence, pairTurn ?? 0);
  }
  const calls = batches.calls();
  return {
    rank,
    file,
    groups: [...groups.values()],
    calls,
    keepsStates: seen.keepsStates || calls.some(({ state }) => state !== 'scheduled'),
    isCut: (number(field(entries[0], keys.record)) ?? 0) > 0 && !isOnlyOpen(value, entries[0], calls),
  };
}

/** A dump of the open calls alone begins right behind the last one that ended: nothing before it was overwritten. */
function isOnlyOpen(value: Plain, oldest: Plain | undefined, calls: readonly Call[]): boolean {
  if (calls[0] === undefined || calls.some(({ state }) => state === 'completed')) return false;
  const status = field(value, keys.status);
  const id = number(field(oldest, keys.groupNumber));
  const ended = number(field(field(status, new Key(String(id))), keys.completed));
  return ended !== null && ended + 1 === calls[0].sequence;
}

function groupOf(entry: Plain): ProcessGroup | null {
  const name = text(field(entry, keys.name));
  if (name === null || name === '') return null;
  return {
    name,
    description: text(field(entry, keys.description)) ?? '',
    ranks: ranksOf(field(entry, keys.ranks)),
  };
}

/** The members of the group that was read last: the dumps of a large job all list the same ones. */
let lastListed: { readonly text: string; readonly ranks: readonly number[] | null } = {
  text: '',
  ranks: null,
};

/** "[0, 1, 2]" as text, or a list. */
function ranksOf(value: Plain | undefined): readonly number[] | null {
  if (typeof value !== 'string') return numbersOf(value);
  if (value !== lastListed.text) lastListed = { text: value, ranks: numbersOf(value) };
  return lastListed.ranks;
}

function numbersOf(value: Plain | undefined): readonly number[] | null {
  const numbers =
    typeof value === 'string'
      ? [...value.matchAll(/\d+/g)].map(([digits]) => Number(digits))
      : Array.isArray(value)
        ? value.map(Number)
        : [];
  return numbers.length > 0 && numbers.every((rank) => Number.isSafeInteger(rank)) ? numbers : null;
}

function groupName(entry: Plain): string | null {
  const group = field(entry, keys.group);
  return text(Array.isArray(group) ? group[0] : group);
}

function groupTitle(entry: Plain): string {
  const group = field(entry, keys.group);
  return (Array.isArray(group) ? text(group[1]) : null) ?? '';
}

function callOf(entry: Plain, group: string, seen: Seen): Call | null {
  const operation = text(field(entry, keys.operation));
  if (operation === null) return null;
  const pair = field(entry, keys.pair) === true;
  const sequence = number(field(entry, pair ? keys.pairTurn : keys.turn) ?? field(entry, keys.oldTurn));
  if (sequence === null) return null;
  const state = text(field(entry, keys.state));
  const created = number(field(entry, keys.created));
  const ended = number(field(entry, keys.ended));
  const started = number(field(entry, keys.started));
  return {
    group,
    sequence,
    pair,
    batch: 0,
    operation: seen.operation(operation),
    sizes: seen.sizes(field(entry, keys.inputs), field(entry, keys.outputs)),
    types: seen.types(field(entry, keys.types)),
    state: ended ? 'completed' : state === 'completed' || state === 'started' ? state : 'scheduled',
    time: created === null ? null : created / 1e6,
    duration: number(field(entry, keys.duration)) ?? (started && ended ? (ended - started) / 1e6 : null),
    frame: seen.frame(field(entry, keys.frames)),
  };
}

interface Known {
  readonly one: Plain | undefined;
  readonly two: Plain | undefined;
  readonly text: string;
}

const mostKnown = 8;

/** Of lists of lists, two deep at most. */
function isSame(a: Plain | undefined, b: Plain | undefined): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return a === b;
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) {
    const one: Plain | undefined = a[at];
    const two: Plain | undefined = b[at];
    if (Array.isArray(one) && Array.isArray(two)) {
      if (one.length !== two.length) return false;
      for (let inner = 0; inner < one.length; inner++) if (one[inner] !== two[inner]) return false;
    } else if (one !== two) return false;
  }
  return true;
}

/** Most calls come from the same few lines with the same few shapes: each is kept once. */
class Seen {
  private readonly texts = new Map<string, string>();
  private readonly operations = new Map<string, string>();
  private readonly libraries = new Map<string, boolean>();
  private readonly known = new Map<string, CallFrame>();
  private frames: Plain | undefined;
  private last: CallFrame | null = null;
  /** A call of a library that tells how far each call came: all but Gloo. */
  keepsStates = false;

  text(value: string): string {
    const same = this.texts.get(value);
    if (same === undefined) this.texts.set(value, value);
    return same ?? value;
  }

  private readonly sizesKnown: Known[] = [];
  private readonly typesKnown: Known[] = [];

  sizes(inputs: Plain | undefined, outputs: Plain | undefined): string {
    return this.told(this.sizesKnown, inputs, outputs, () => `${flat(inputs)}>${flat(outputs)}`);
  }

  types(types: Plain | undefined): string {
    return this.told(this.typesKnown, types, null, () => flat(types));
  }

  /** Compares with the few that came last before it makes a text. */
  private told(known: Known[], one: Plain | undefined, two: Plain | undefined, tell: () => string): string {
    for (const entry of known) if (isSame(entry.one, one) && isSame(entry.two, two)) return entry.text;
    const text = this.text(tell());
    known.push({ one, two, text });
    if (known.length > mostKnown) known.shift();
    return text;
  }

  /** "nccl:all_reduce" is "all_reduce". */
  operation(name: string): string {
    const known = this.operations.get(name);
    if (known !== undefined) return known;
    const [, library] = /^(\w+):/.exec(name) ?? [];
    if (library !== undefined && library !== 'gloo') this.keepsStates = true;
    const operation = name.replace(/^\w+:/, '');
    this.operations.set(name, operation);
    return operation;
  }

  private isLibrary(file: string): boolean {
    const known = this.libraries.get(file) ?? /[/\\](?:torch|deepspeed|accelerate|lightning)[/\\]/.test(file);
    this.libraries.set(file, known);
    return known;
  }

  /** The same list is often given again. */
  frame(list: Plain | undefined): CallFrame | null {
    if (list !== this.frames) {
      this.frames = list;
      this.last = this.chosenOf(list);
    }
    return this.last;
  }

  private chosenOf(list: Plain | undefined): CallFrame | null {
    if (!Array.isArray(list)) return null;
    const chosen: Plain | undefined =
      list.find((frame) => !this.isLibrary(text(field(frame, keys.file)) ?? '')) ?? list[0];
    const file = text(field(chosen, keys.file));
    const line = number(field(chosen, keys.line));
    if (file === null || line === null) return null;
    const key = `${file}:${line}`;
    const frame = this.known.get(key) ?? { file, line, function: text(field(chosen, keys.name)) ?? '' };
    this.known.set(key, frame);
    return frame;
  }
}

function field(value: Plain | undefined, key: Key): Plain | undefined {
  return value instanceof Dictionary ? value.get(key) : undefined;
}

function text(value: Plain | undefined): string | null {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : null;
}

function number(value: Plain | undefined): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** Lists of lists of numbers or words, two deep at most. Without `map` and `join`: a large job has millions of these. */
function flat(value: Plain | undefined): string {
  if (!Array.isArray(value)) return '';
  let told = '';
  for (let at = 0; at < value.length; at++) {
    const part: Plain = value[at];
    if (at > 0) told += ';';
    if (Array.isArray(part))
      for (let inner = 0; inner < part.length; inner++) told += inner > 0 ? `,${part[inner]}` : part[inner];
    else told += part;
  }
  return told;
}
