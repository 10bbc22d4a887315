// What one file of a run said. Readers write into it while the file streams by; a run record is assembled from
// all of them, again and again while a run is being followed.

import type { RankDump } from '../../ranks/dumps/dump.js';
import { rankOfPath } from '../../ranks/present/path-rank.js';
import type { Gpu, Setting, SettingValue, Version } from '../../record/configuration.js';
import type { DeviceMessage } from '../../record/device.js';
import type { Traceback } from '../../record/exception.js';
import type { Exit } from '../../record/exit.js';
import { identifyMetric, type MetricIdentity } from '../../record/metrics.js';
import type { Note, NoteKind } from '../../record/run-record.js';
import { type Seat, seated } from '../../record/seat.js';
import type { RankStack } from '../../record/stack.js';
import type { TextFile } from '../../record/text.js';
import type { Where } from '../../record/where.js';
import { type PointBudget, SeriesBuilder } from './series-builder.js';
import { TextKeeper } from './text-keeper.js';

const maxSeries = 1500;
const maxTracebacks = 500;
const maxDeviceMessages = 2000;
const maxExits = 500;
const maxSettings = 5000;
const maxNotes = 200;
const maxRanks = 100_000;

export type PlaceKind = 'line' | 'offset' | 'record';

export class FileRecord {
  readonly series = new Map<string, SeriesBuilder>();
  readonly text = new TextKeeper();
  readonly tracebacks: Omit<Traceback, 'order'>[] = [];
  readonly device: DeviceMessage[] = [];
  readonly exits: Exit[] = [];
  readonly settings = new Map<string, Setting>();
  readonly gpus: Gpu[] = [];
  readonly versions = new Map<string, Version>();
  readonly notes: Note[] = [];
  readonly hosts = new Set<string>();
  readonly dumps: RankDump[] = [];
  readonly stacks = new Map<string, RankStack>();
  readonly seats = new Map<number, Seat>();
  /** The host of each task that a scheduler tells of. */
  readonly tasks = new Map<number, string>();
  /** As many workers as an agent of a launcher is seen to have on its host. */
  workers = 1;
  /** How many hosts the launcher was told of. */
  nodes = 1;
  /** Which of the hosts wrote the file, as the launcher was told there. */
  node: number | null = null;
  /** Whether its lines say which worker of its host wrote them, and nothing says which rank that is. */
  countsOnHost = false;
  /** Whose file it is, as its path says. */
  readonly rank: number | null;
  encoding: TextFile['encoding'] = 'utf-8';
  hostMemory: number | null = null;
  cpuCount: number | null = null;
  worldSize: number | null = null;
  plannedSteps: number | null = null;
  lastStep: number | null = null;
  bytes = 0;
  points = 0;
  /** Orders files of one reader: the start time a reader found inside, else the file's own name decides. */
  startTime: number | null = null;
  /** Where each accelerator of the host sits, by its number. */
  readonly buses = new Map<number, string>();
  /** How many accelerators the processes of the file say they use. */
  devices = 0;
  /** Of each error: its line, and the line behind which nothing can be what its process had still held back. */
  readonly flushed: { readonly raised: number; readonly behind: number }[] = [];
  /** Records of what is embedded in the file: the console inside of a W&B run file. */
  readonly children: FileRecord[] = [];
  /** What tells runs apart when a directory holds several (an MLflow run id, a version directory). */
  run: string | null = null;

  constructor(
    /** Relative to the run directory. */
    readonly file: string,
    readonly reader: string,
    readonly budget: PointBudget,
    readonly placeKind: PlaceKind = 'line',
  ) {
    this.rank = rankOfPath(file);
  }

  at(place: number): Where {
    return place < 0 ? { file: this.file } : { file: this.file, [this.placeKind]: place };
  }

  /** The curve for a name, made on first use; null when the file logs more names than a run can mean. */
  curve(
    rawName: string,
    options: { rank?: number | null; hasSteps?: boolean; identity?: MetricIdentity; unit?: string } = {},
  ): SeriesBuilder | null {
    const rank = options.rank ?? this.rank;
    const key = `${rank ?? ''}\u0000${rawName}\u0000${options.identity?.split ?? ''}\u0000${options.identity?.subject ?? ''}`;
    const found = this.series.get(key);
    if (found) {
      if (options.hasSteps) found.hasSteps = true;
      return found;
    }
    if (this.series.size >= maxSeries) {
      this.note('limit', `more than ${maxSeries} metric names: the rest is left out`, -1);
      return null;
    }
    const identity = options.identity ?? identifyMetric(rawName, options.unit);
    const made = new SeriesBuilder(
      { rawName, rank, identity, hasSteps: options.hasSteps ?? true },
      this.budget,
    );
    this.series.set(key, made);
    return made;
  }

  /** Adds one point; the value is converted to the metric's unit. */
  point(rawName: string, step: number, value: number, place: number, time = Number.NaN, unit = ''): void {
    const curve = this.curve(rawName, { unit });
    if (curve === null) return;
    curve.push(step, value * curve.key.identity.scale, time, place);
    this.points++;
    this.reachStep(step);
  }

  reachStep(step: number): void {
    if (Number.isFinite(step) && (this.lastStep === null || step > this.lastStep)) this.lastStep = step;
  }

  setting(key: string, value: SettingValue, place: number, kind: Setting['kind'] = 'setting'): void {
    if (key === '' || key.length > 200 || this.settings.size >= maxSettings) return;
    const short = typeof value === 'string' && value.length > 2000 ? `${value.slice(0, 2000)}…` : value;
    this.settings.set(key, { key, value: short, at: this.at(place), kind });
  }

  /** Settings of nested objects and lists of objects, under dotted keys. */
  settingTree(prefix: string, value: unknown, place: number, depth = 0): void {
    if (value === undefined || depth > 8) return;
    if (
      value === null ||
      typeof value === 'string' ||
      typeof value === 'number' ||
      typeof value === 'boolean'
    ) {
      this.setting(prefix, value, place);
    } else if (Array.isArray(value)) {
      if (value.every((item) => item === null || typeof item !== 'object')) {
        this.setting(prefix, value.slice(0, 50).join(', '), place);
      } else {
        for (const [index, item] of value.slice(0, 50).entries()) {
          this.settingTree(`${prefix}.${index}`, item, place, depth + 1);
        }
      }
    } else if (typeof value === 'object') {
      for (const [key, item] of Object.entries(value)) {
        this.settingTree(prefix === '' ? key : `${prefix}.${key}`, item, place, depth + 1);
      }
    }
  }

  version(name: string, version: string, place: number): void {
    const key = name.toLowerCase();
    if (!this.versions.has(key) && this.versions.size < 1000 && version.length < 100) {
      this.versions.set(key, { name: key, version, at: this.at(place) });
    }
  }

  traceback(traceback: Omit<Traceback, 'order'>): void {
    const same = this.tracebacks.findLast((other) => sameTraceback(other, traceback));
    if (same !== undefined)
      this.tracebacks[this.tracebacks.indexOf(same)] = {
        ...same,
        count: same.count + 1,
        again: { at: traceback.at, step: traceback.step },
      };
    else if (this.tracebacks.length < maxTracebacks) this.tracebacks.push(traceback);
    else this.note('limit', `more than ${maxTracebacks} different tracebacks: the rest is left out`, -1);
  }

  deviceMessage(message: DeviceMessage): void {
    const last = this.device.findLastIndex(
      (other) => other.kind === message.kind && other.text === message.text && other.rank === message.rank,
    );
    const same = this.device[last];
    if (same !== undefined) this.device[last] = { ...same, count: same.count + 1, again: { at: message.at } };
    else if (this.device.length < maxDeviceMessages) this.device.push(message);
  }

  /** A later stack of the same process takes the place of the earlier one. `turn` tells processes apart that say neither rank nor number. */
  stack(stack: RankStack, turn = 0): void {
    const key = `${stack.rank}/${stack.pid}/${turn}`;
    if (this.stacks.size < maxRanks || this.stacks.has(key)) this.stacks.set(key, stack);
  }

  seat(seat: Seat): void {
    if (this.seats.size >= maxRanks && !this.seats.has(seat.rank)) return;
    this.seats.set(seat.rank, seated(this.seats.get(seat.rank), seat));
  }

  exit(exit: Exit): void {
    if (this.exits.length < maxExits) this.exits.push(exit);
  }

  note(kind: NoteKind, text: string, place: number): void {
    if (
      this.notes.length < maxNotes &&
      !this.notes.some((note) => note.kind === kind && note.text === text)
    ) {
      this.notes.push({ kind, text, at: this.at(place) });
    }
  }
}

function sameTraceback(a: Omit<Traceback, 'order'>, b: Omit<Traceback, 'order'>): boolean {
  if (a.rank !== b.rank || a.chain.length !== b.chain.length) return false;
  return a.chain.every((raised, index) => {
    const other = b.chain[index]!;
    const frame = raised.frames.at(-1);
    const otherFrame = other.frames.at(-1);
    return (
      raised.qualifiedType === other.qualifiedType &&
      raised.message === other.message &&
      frame?.file === otherFrame?.file &&
      frame?.line === otherFrame?.line
    );
  });
}
