// Rows of named numbers, as JSON lines and CSV hold them: which column is the step, which the time, the rest curves.
import { identifyMetric, scores } from '../../record/metrics.js';
import type { Split } from '../../record/split.js';
import type { FileRecord } from '../collect/file-record.js';
import { RowWords, tellsEpoch } from './row-words.js';

const stepNames = [
  'step,global_step,_step,trainer/global_step,total_timesteps,timesteps_total,total timesteps',
  'num_timesteps,total_env_steps,env_steps,timesteps,timestep,iteration,iter,iterations,num_updates',
  'update,updates,train_step,train/global_step,optimizer_step,current_step,current_steps,steps,n_iter',
  'iter_num,global_iter,it,itr,i,nupdates,round,episodes,episode,batch_idx,batch',
]
  .join()
  .split(',');
const epochNames = ['epoch', 'epochs', 'ep'];
const timeNames = ['time', 'timestamp', '_timestamp', 'wall_time', 'walltime', 'ts', 'datetime', 'date'];
const planNames = new Set(['total_steps', 'max_steps', 'total_iters', 'max_iters']);
const notCurves = new Set(['_runtime', 'pid', 'local_rank', 'world_size', 'seed', 'version', 'schema', 'v']);

/** Keys below which a document or a row keeps its settings. */
export const settingsKeys: ReadonlySet<string> = new Set([
  'config',
  'args',
  'hparams',
  'hyperparameters',
  'params',
  'settings',
  'hardware',
  'versions',
]);

interface OfRank {
  readonly rank: number;
  /** Without the rank. */
  readonly name: string;
}

const ranked = /^(?:(.*)[._/ -])?rank[_ -]?(\d{1,5})(?:[._/ -](.+))?$|^r(\d{1,5})[._/ -](.+)$/i;

/** One column for each rank, from the first one on: "rank0_loss, rank1_loss", "r0_step_s, r1_step_s". */
function columnsOfRanks(columns: readonly string[]): ReadonlyMap<string, OfRank> {
  const alike = new Map<string, [column: string, rank: number][]>();
  for (const column of columns) {
    const [, before = '', rank, after = '', short, behind = ''] = ranked.exec(column.trim()) ?? [];
    const number = rank ?? short;
    const name = [before, after || behind].filter(Boolean).join('_');
    if (number === undefined || name === '') continue;
    alike.set(name, [...(alike.get(name) ?? []), [column, Number(number)]]);
  }
  const whole = [...alike].filter(([, all]) => {
    const numbers = new Set(all.map(([, rank]) => rank));
    return all.length > 1 && all.every((_, rank) => numbers.has(rank));
  });
  return new Map(
    whole.flatMap(([name, all]) => all.map(([column, rank]): [string, OfRank] => [column, { rank, name }])),
  );
}

export class RowReader {
  /** Rows so far, which stand for their steps where no column does. */
  rows = 0;
  /** The row before, as it was logged, and the steps of the epochs before it where each counts its own. */
  private last = { step: Number.NaN, epoch: Number.NaN };
  private passed = 0;
  private readonly hasStep: boolean;

  constructor(
    private readonly record: FileRecord,
    private readonly names: {
      step: string | null;
      epoch: string | null;
      time: string | null;
      rank: string | null;
      ofRanks: ReadonlyMap<string, OfRank>;
    },
  ) {
    this.hasStep = names.step !== null || names.epoch !== null;
  }

  /** `counts`: whether a column goes up from row to row, where rows are known. A length of something may be called as a counter is. */
  get counts(): boolean {
    return this.names.step !== null;
  }

  get countsEpochs(): boolean {
    return this.names.step === null && this.names.epoch !== null;
  }

  static namesFrom(
    columns: readonly string[],
    counts: (column: string) => boolean = () => true,
  ): RowReader['names'] {
    const lower = new Map<string, string>();
    for (const column of columns) {
      const name = column.trim().toLowerCase();
      const tail = name.slice(name.lastIndexOf('/') + 1);
      if (!lower.has(tail)) lower.set(tail, column);
      lower.set(name, column);
    }
    const pick = (candidates: readonly string[], fits = (_: string) => true): string | null => {
      for (const candidate of candidates) {
        const found = lower.get(candidate);
        if (found !== undefined && fits(found)) return found;
      }
      return null;
    };
    return {
      step: pick(stepNames, counts),
      epoch: pick(epochNames),
      time: pick(timeNames),
      rank: pick(['rank', 'global_rank']),
      ofRanks: columnsOfRanks(columns),
    };
  }

  /** `values` by column; absent means not logged. `line` counts from 1. `digests`: the columns of checksums. `nameOf`: what a column's curve is called. */
  row(
    values: ReadonlyMap<string, number>,
    line: number,
    digests?: ReadonlySet<string>,
    nameOf: (column: string) => string = (column) => column,
  ): void {
    const { record, names } = this;
    this.rows++;
    const epoch = names.epoch === null ? undefined : values.get(names.epoch);
    const logged = names.step === null ? undefined : values.get(names.step);
    if (logged !== undefined && epoch !== undefined) {
      // A count that begins anew with the next epoch counts within it; one that does so with the first epoch is another training.
      if (logged <= this.last.step / 2)
        this.passed = epoch > this.last.epoch ? this.passed + this.last.step : 0;
      this.last = { step: logged, epoch };
    }
    const step = logged === undefined ? (epoch ?? this.rows) : this.passed + logged;
    const hasSteps = this.hasStep && (logged !== undefined || epoch !== undefined);
    const time = names.time === null ? Number.NaN : epochMilliseconds(values.get(names.time));
    const rank = names.rank === null ? null : (values.get(names.rank) ?? null);
    for (const [name, value] of values) {
      if (name === names.step || name === names.time || name === names.rank || notCurves.has(name)) continue;
      if (name === names.epoch && names.step === null) continue;
      if (planNames.has(name)) {
        if (value > 1) record.plannedSteps = value;
        continue;
      }
      const identity = digests?.has(name) ? identifyMetric(name, 'digest') : undefined;
      const own = names.ofRanks.get(name) ?? { name, rank };
      const curve = record.curve(nameOf(own.name), {
        rank: own.rank,
        hasSteps,
        ...(identity && { identity }),
      });
      if (curve === null) return;
      if (logged === undefined && epoch !== undefined) curve.countsEpochs = true;
      curve.push(step, value * curve.key.identity.scale, time, line);
      record.points++;
    }
    record.reachStep(step);
  }
}

/** Seconds, milliseconds or microseconds since 1970, told apart by size. Anything else is no time. */
export function epochMilliseconds(value: number | undefined): number {
  if (value === undefined || !(value > 1e8)) return Number.NaN;
  if (value < 1e11) return value * 1000;
  if (value < 1e14) return value;
  return value / 1000;
}

/** Kinds of rows that are remembered; a file whose every row has names of its own is no table. */
const mostKinds = 500;

/** Rows of one file that do not all have the same names. */
export class MixedRows {
  private readonly readers = new Map<string, RowReader>();
  private readonly words = new RowWords();
  /** Columns that rows within an epoch told: what is told of a whole one is another curve. */
  private readonly within = new Set<string>();

  constructor(private readonly record: FileRecord) {}

  row(
    values: ReadonlyMap<string, number>,
    line: number,
    digests?: ReadonlySet<string>,
    words: ReadonlyMap<string, string> = new Map(),
  ): void {
    if (values.size === 0) return;
    const names = [...values.keys()];
    const key = names.join('\u0000');
    let reader = this.readers.get(key);
    if (reader === undefined) {
      reader = new RowReader(this.record, RowReader.namesFrom(names));
      if (this.readers.size < mostKinds) this.readers.set(key, reader);
    }
    const says = this.words.of(words, values);
    const isOfEpoch = reader.countsEpochs || tellsEpoch(words);
    reader.row(values, line, digests, (column) => {
      const name = this.words.curveName(column, says);
      if (isOfEpoch) return this.within.has(name) ? `${name} (epoch)` : name;
      if (reader.counts && this.within.size < mostKinds) this.within.add(name);
      return name;
    });
  }
}

/** What is told of several parts of the data. */
const ofParts = new Set(['loss', ...scores, 'other']);

/** The name of a column in a row that says of which part of the data it is. A counter, a time or a rate is of none. */
export function nameInPart(name: string, part: Split | null): string {
  if (part === null || part === 'train' || stepNames.includes(name) || epochNames.includes(name)) return name;
  const { metric, split } = identifyMetric(name);
  return split === 'train' && ofParts.has(metric) && !/tr(?:ai)?n/i.test(name) ? `${part} ${name}` : name;
}

/** Beside a loss of training and one of validation, a score that names neither is of validation: training's would have been said. */
export function ofWhichSplit(cells: readonly string[]): string[] {
  const losses = cells.filter((cell) => identifyMetric(cell).metric === 'loss');
  const says = (cell: string, pattern: RegExp): boolean => pattern.test(cell);
  const both =
    losses.some((cell) => says(cell, /train/i)) &&
    losses.some((cell) => identifyMetric(cell).split === 'eval');
  if (!both) return [...cells];
  return cells.map((cell, index) =>
    index > 0 && scores.has(identifyMetric(cell).metric) && !says(cell, /train|val|test|eval|dev/i)
      ? `validation ${cell}`
      : cell,
  );
}
