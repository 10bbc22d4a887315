// Turns the pairs of a line into points: decides what the step is (a counter, a progress bar, an epoch and a batch)
// and which curve each value belongs to. Console formats differ only here, and only in what they leave out.
import { identifyMetric, type MetricIdentity, type MetricName } from '../../record/metrics.js';
import type { Split } from '../../record/series.js';
import type { FileRecord } from '../collect/file-record.js';
import { nameless } from '../collect/nameless.js';
import type { SeriesBuilder } from '../collect/series-builder.js';
import type { KeyInfo } from './key-table.js';
import { tellSplits } from './line-split.js';
import { LineTemplates } from './line-templates.js';
import { lineTime } from './line-time.js';
import { PairScanner, unit, unitNames } from './pairs.js';
import { PartOfData } from './part-of-data.js';
import { type BareLine, type Marks, rankOfBytes } from './prefix.js';
import { StepClock } from './step-clock.js';

interface PendingPoint {
  readonly curve: SeriesBuilder;
  readonly value: number;
  readonly time: number;
  readonly line: number;
}

const maxPending = 2000;

/** `return 1.0 * x` in code that was pasted beside its log is no return that was earned. */
const statement = /^\s*(?:return|def|class|elif|import|assert|raise)\s/;

function isTime(code: number): boolean {
  return code === unit.ms || code === unit.s || code === unit.us;
}

function isStatement(bytes: Buffer, start: number, end: number): boolean {
  return statement.test(bytes.toString('latin1', start, Math.min(end, start + 60)));
}

export class LineMetrics {
  private readonly scanner = new PairScanner();
  private readonly templates = new LineTemplates();
  /** Of the rank whose line is read: each counts its own steps, and where lines are mixed they come in any order. */
  private clock: StepClock;
  private readonly clocks = new Map<number | null, StepClock>();
  private hasTime = true;
  private hasRank = true;
  /** Points that wait for the progress bar to be drawn again below them. */
  private pending: PendingPoint[] = [];
  private lossCurve: SeriesBuilder | null = null;
  /** Of lines that name no rank. What one rank evaluates is no part of another's lines. */
  readonly part = new PartOfData();
  private readonly parts = new Map<number | null, PartOfData>();
  private partAtHand = this.part;
  private trainedAt = 0;
  /** Names that stood behind one of training's own, in lines that tell of training alone. */
  private readonly behindTraining = new Set<string>();
  /** Of how many epochs lines speak that count the batches of each as well; NaN where none does. */
  private epochs = Number.NaN;
  private rateCurve: SeriesBuilder | null = null;
  private readonly ofSplits = new Map<string, SeriesBuilder>();
  /** The training that a curve without steps was last counted in, and the points it had before. */
  private readonly began = new Map<SeriesBuilder, { readonly training: number; readonly seen: number }>();

  /** `rank`: of lines that name none; `marks`: how lines name theirs, and `markedSize` of how many a rank is said to be one; `ofProcess`: whose a process is. */
  constructor(
    private readonly record: FileRecord,
    private readonly rank: number | null,
    private readonly marks: Marks,
    markedSize: number | null,
    private readonly ofProcess: (process: BareLine['process']) => number | null,
  ) {
    this.scanner.markedSize = markedSize;
    this.clock = this.clockOf(rank);
    this.parts.set(rank, this.part);
  }

  /** The last step seen, for lines that give none. */
  get lastStep(): number | null {
    return this.clock.last;
  }

  /** Reads a line of a kind met before; returns its end, or -1 when the line is new and must be scanned. */
  consumeKnown(bytes: Buffer, start: number, end: number, line: number): number {
    const { scanner, templates } = this;
    const lineEnd = templates.match(bytes, start, end, scanner);
    if (lineEnd < 0) return -1;
    this.hasTime = templates.hasTime;
    this.hasRank = templates.hasRank;
    this.interpret(bytes, start, lineEnd, line);
    return lineEnd;
  }

  /** True when the line was one of metrics or progress. */
  consume(bytes: Buffer, start: number, end: number, line: number): boolean {
    if (isStatement(bytes, start, end)) this.scanner.clear();
    else this.scanner.scan(bytes, start, end);
    if (!Number.isNaN(this.scanner.outer)) this.epochs = this.scanner.outer;
    tellSplits(bytes, start, end, this.scanner);
    this.hasTime = true;
    this.hasRank = true;
    return this.interpret(bytes, start, end, line);
  }

  /** Remembers the kind of the line consumed last. */
  learn(bytes: Buffer, start: number, end: number): void {
    if (this.scanner.hasDigest) return;
    this.templates.learn(bytes, start, end, this.scanner, {
      hasTime: !Number.isNaN(lineTime(bytes, start, end)),
      hasRank: rankOfBytes(bytes, start, end, this.marks, this.ofProcess) !== null,
    });
  }

  private clockOf(rank: number | null): StepClock {
    const known = this.clocks.get(rank) ?? new StepClock(this.record);
    this.clocks.set(rank, known);
    return known;
  }

  private partOf(rank: number | null): PartOfData {
    const known = this.parts.get(rank) ?? new PartOfData();
    this.parts.set(rank, known);
    return known;
  }

  private rankOf(bytes: Buffer, start: number, end: number): number | null {
    const told = this.hasRank ? rankOfBytes(bytes, start, end, this.marks, this.ofProcess) : null;
    return told ?? this.rank;
  }

  private interpret(bytes: Buffer, start: number, end: number, line: number): boolean {
    const { scanner } = this;
    if (scanner.count === 0 && scanner.barAt < 0 && Number.isNaN(scanner.fraction)) {
      if (scanner.opens !== null) this.partAtHand = this.partOf(this.rankOf(bytes, start, end));
      this.partAtHand.pass(scanner.opens, start === end);
      return false;
    }
    const rank = this.rankOf(bytes, start, end);
    this.partAtHand = this.partOf(rank);
    this.clock = this.clockOf(rank);
    const { clock } = this;
    let step = Number.NaN;
    let priority = -1;
    let epoch = Number.NaN;
    let epochAt = end;
    let known = 0;
    let others = 0;
    let final = false;
    let nanIterations = false;
    let hasLoss = false;
    let isPlural = false;
    for (let at = 0; at < scanner.count; at++) {
      const info = scanner.keys[at]!;
      switch (info.role) {
        case 'step':
          // `Step: 62ms` is how long one took.
          if (isTime(scanner.units[at]!)) break;
          // `batch=512` is a size; only `batch 5/100` counts.
          if (info.priority > priority && (info.priority > 1 || at === scanner.fractionPair)) {
            priority = info.priority;
            step = scanner.values[at]!;
            isPlural = info.name.endsWith('s');
            if (at === scanner.fractionPair && info.priority > 1) clock.plan(scanner.total);
          }
          break;
        case 'epoch':
          epoch = scanner.values[at]!;
          epochAt = scanner.positions[at]!;
          break;
        case 'final':
          final = true;
          break;
        default:
          if (info.identity.metric === 'other') others++;
          else known++;
          if (info.identity.metric === 'loss') hasLoss = true;
          if (info.identity.metric === 'nan_steps' && scanner.values[at]! > 0) nanIterations = true;
      }
    }
    // `steps: 160 lr=0.1` plans them; beside a loss they are counted.
    if (isPlural && !hasLoss) [step, priority] = [Number.NaN, -1];
    const counts = priority > 1 || !Number.isNaN(epoch) || !Number.isNaN(scanner.fraction);
    const inherited =
      known > 0 && !final ? this.partAtHand.of(scanner, epoch, counts, this.lossCurve !== null) : null;
    // Batches of what is held out are no steps of training, which stands still.
    const standsStill = known > 0 && (inherited ?? this.saidFirst()) !== null;
    if (standsStill && priority <= 1) step = Number.NaN;
    else if (priority === 1 && !Number.isNaN(epoch)) {
      const total = scanner.fractionPair >= 0 ? scanner.total : Number.NaN;
      step = clock.within(epoch, step, total);
    } else if (Number.isNaN(step) && known + others > 0 && isRound(bytes, start, end)) {
      step = scanner.bracketed;
      clock.see(step);
    } else if (Number.isNaN(step) && !this.fractionIsEpoch()) {
      step = clock.fromProgress(bytes, start, scanner, epoch, known > 0);
    } else if (known > 0 || (others > 0 && priority > 1) || scanner.barAt >= 0) {
      step = clock.ofRun(step, epoch);
      clock.see(step);
    } else step = Number.NaN;
    if (!Number.isNaN(epoch)) clock.seeEpoch(epoch);
    if (final) {
      this.finished(bytes, start, end, line);
      return true;
    }
    const time = this.hasTime ? lineTime(bytes, start, end) : Number.NaN;
    const progressed = scanner.barAt >= 0 && !Number.isNaN(step);
    if (progressed) {
      this.flush(step);
      this.rate(step, time, line);
    }
    if (known + others > 0 && (known > 0 || !Number.isNaN(step) || scanner.barAt < 0)) {
      // A dictionary of values gives the epoch with decimals, and no counter: its epoch is no step.
      const isDictionary = Number.isNaN(step) && hasBrace(bytes, start, epochAt);
      this.points(step, isDictionary ? Number.NaN : epoch, time, line, rank, known > 0, counts, inherited);
      if (nanIterations && !hasLoss && this.lossCurve !== null && !Number.isNaN(step)) {
        this.lossCurve.push(step, Number.NaN, time, line);
      }
    }
    if (known + others === 0) this.partAtHand.pass(scanner.opens, false);
    return known > 0 || !Number.isNaN(step) || scanner.barAt >= 0;
  }

  /** Gives waiting points the last step there was. */
  flush(step: number | null = this.clock.last): void {
    if (this.pending.length === 0) return;
    for (const { curve, value, time, line } of this.pending)
      curve.push(step ?? curve.seen + 1, value, time, line);
    this.pending = [];
  }

  private fractionIsEpoch(): boolean {
    const { fractionPair, keys, total, bracketed, barAt } = this.scanner;
    if (fractionPair >= 0) return keys[fractionPair]!.role === 'epoch';
    return barAt < 0 && Number.isNaN(bracketed) && total === this.epochs;
  }

  private points(
    step: number,
    epoch: number,
    time: number,
    line: number,
    rank: number | null,
    isKnown: boolean,
    counts: boolean,
    inherited: Split | null,
  ): void {
    const { scanner, clock, record } = this;
    let at = step;
    let hasSteps = true;
    let waits = false;
    let isEpoch = false;
    if (Number.isNaN(at)) {
      const guess = clock.guess(epoch);
      at = guess.step;
      isEpoch = guess.isEpoch ?? false;
      hasSteps = guess.certain;
      waits = isKnown && clock.hasBar && this.pending.length < maxPending;
    }
    let previous: KeyInfo | null = null;
    /** The part that the last name with one said it is of. */
    let stated: Split | null = null;
    const ofLine = this.heldOutLine();
    const led = this.leadingSplit();
    const unnamed = this.unnamedLoss() ?? (scanner.headed === null ? null : named(scanner.headed));
    const isOfBoth = this.hasBothBare();
    for (let index = 0; index < scanner.count; index++) {
      const info = scanner.keys[index]!;
      if (info.role !== 'metric' && info.role !== 'split') continue;
      const isNameless =
        info.role === 'split' &&
        unnamed === null &&
        (previous === null || (isOfBoth && previous.identity.metric === 'loss'));
      if (isNameless && !isOfBoth) continue;
      const said = scanner.said[index]!;
      if (info.stated !== null) stated = info.stated;
      const follows = led !== null && stated === led && info.stated === null;
      if (follows && led === 'train') this.behindTraining.add(info.name);
      const isTwin = follows && led !== 'train' && (!counts || this.behindTraining.has(info.name));
      const isAgain = info.stated === null && stated !== null && this.isRepeated(info);
      const heldOut =
        said ?? ofLine ?? (isTwin || isAgain ? stated : null) ?? (info.stated === null ? inherited : null);
      const isHeld = (heldOut ?? info.identity.split) !== 'train';
      // Of the batches of an evaluation their average counts, and of it the last: `Test: [90/98] Loss 1.53 (1.41)`.
      const runs = isHeld && !Number.isNaN(scanner.fraction);
      if (
        runs &&
        info.average !== null &&
        scanner.keys[index + 1] === info.average &&
        index + 1 < scanner.count
      )
        continue;
      const shown = runs ? (info.averages ?? info) : info;
      const curve =
        heldOut !== null &&
        heldOut !== 'train' &&
        takesSplit(info, said !== null || isAgain, said !== null || isTwin || isAgain || inherited !== null)
          ? this.curveOfSplit(shown, scanner.units[index]!, rank, hasSteps || waits, heldOut)
          : isNameless
            ? this.nameless(info, rank, hasSteps || waits)
            : this.curveOf(shown, scanner.units[index]!, rank, hasSteps || waits, unnamed ?? previous);
      if (info.role === 'metric' && hasSplits(info)) previous = info;
      if (curve === null) continue;
      if (isEpoch) curve.countsEpochs = true;
      const { identity } = curve.key;
      // `Accuracy: 9312/10000` counts what was right.
      const value =
        index === scanner.fractionPair && identity.metric === 'accuracy'
          ? scanner.values[index]! / scanner.total
          : scanner.values[index]! * identity.scale;
      if (identity.metric === 'loss' && identity.split === 'train') this.lossCurve = curve;
      if (identity.split === 'train' && hasSplits(info)) this.trainedAt = line;
      if (shown !== info) this.forget(curve);
      if (waits) this.pending.push({ curve, value, time, line });
      else curve.push(Number.isNaN(at) ? this.count(curve) : at, value, time, line);
      record.points++;
    }
  }

  /** Takes back what a curve was given since the last line of training. */
  private forget(curve: SeriesBuilder): void {
    if (curve.length > 0 && curve.places[curve.length - 1]! > this.trainedAt) {
      curve.length--;
      curve.seen--;
    }
    this.pending = this.pending.filter((point) => point.curve !== curve || point.line <= this.trainedAt);
  }

  /** `Train acc: 0.8 | loss: 1.2` and, below, `Valid acc: 0.7 | loss: 1.4`: the one part of the data that the names of a line state. */
  private leadingSplit(): Split | null {
    let found: Split | null = null;
    for (let index = 0; index < this.scanner.count; index++) {
      const { role, stated } = this.scanner.keys[index]!;
      if (role !== 'metric' || stated === null) continue;
      if (found !== null && found !== stated) return null;
      found = stated;
    }
    return found;
  }

  /** `train loss 4.1 acc 3.2 | test loss 4.6 acc 1.1`: a name that comes twice is each time of the part named before it. */
  private isRepeated(info: KeyInfo): boolean {
    const { keys, count } = this.scanner;
    return keys.indexOf(info) !== keys.lastIndexOf(info, count - 1);
  }

  /** `train: 0.08, val 0.09`: two parts of the data without a word for what is told of them. Beside a cost it is something else. */
  private hasBothBare(): boolean {
    const { keys, count } = this.scanner;
    let [ofTraining, held] = [false, false];
    for (let index = 0; index < count; index++) {
      if (keys[index]!.role !== 'split') continue;
      if (keys[index]!.stated === 'train') ofTraining = true;
      else held = true;
    }
    return ofTraining && held;
  }

  private nameless(info: KeyInfo, rank: number | null, hasSteps: boolean): SeriesBuilder | null {
    const { split } = info.identity;
    const identity: MetricIdentity = { metric: 'other', split, subject: nameless, unit: '', scale: 1 };
    return this.record.curve(info.name, { rank, hasSteps, identity });
  }

  /** Without any step, what is held out is measured after as many points as training has. */
  private count(curve: SeriesBuilder): number {
    // What else is told under the name is of the epoch that was told of last.
    if (curve.countsEpochs && !Number.isNaN(this.clock.lastEpoch)) return this.clock.lastEpoch;
    const own = this.countedIn(curve) + 1;
    return curve.key.identity.split === 'train'
      ? own
      : Math.max(own, this.lossCurve === null ? 0 : this.countedIn(this.lossCurve));
  }

  /** How many points of a curve are of the training at hand: a log of several counts each from its beginning. */
  private countedIn(curve: SeriesBuilder): number {
    const { trainings } = this.clock;
    const known = this.began.get(curve);
    const began =
      known?.training === trainings ? known : { training: trainings, seen: trainings === 0 ? 0 : curve.seen };
    this.began.set(curve, began);
    return curve.seen - began.seen;
  }

  /** The held-out part that the line says its first measure is of. */
  private saidFirst(): Split | null {
    const { keys, said, count } = this.scanner;
    for (let index = 0; index < count; index++)
      if (keys[index]!.role === 'metric') return said[index] === 'train' ? null : said[index]!;
    return null;
  }

  /** The split of a line whose every loss is of one that is held out: `test_loss 0.41 Accuracy@1 71.3` tells one story. */
  private heldOutLine(): Split | null {
    let found: Split | null = null;
    for (let index = 0; index < this.scanner.count; index++) {
      const { role, identity } = this.scanner.keys[index]!;
      if (role !== 'metric' || identity.metric !== 'loss') continue;
      if (identity.split === 'train' || (found !== null && found !== identity.split)) return null;
      found = identity.split;
    }
    return found;
  }

  /** `train 4.33 test 4.46 top1 5.9`: of a line that names its score and nothing else that has splits, what has no name is the loss. */
  private unnamedLoss(): KeyInfo | null {
    let score: KeyInfo | null = null;
    for (let index = 0; index < this.scanner.count; index++) {
      const info = this.scanner.keys[index]!;
      if (info.role === 'split') {
        if (score !== null) return null;
        continue;
      }
      if (info.role !== 'metric' || !hasSplits(info)) continue;
      if (info.identity.metric !== 'accuracy') return null;
      score = info;
    }
    return score === null ? null : { ...score, name: 'loss', identity: identifyMetric('loss') };
  }

  private curveOfSplit(
    info: KeyInfo,
    unitCode: number,
    rank: number | null,
    hasSteps: boolean,
    split: Split,
  ): SeriesBuilder | null {
    const key = `${split} ${unitCode} ${rank} ${info.name}`;
    const known = this.ofSplits.get(key);
    if (known !== undefined) {
      if (hasSteps) known.hasSteps = true;
      return known;
    }
    const made = this.record.curve(`${split} ${info.name}`, {
      rank,
      hasSteps,
      identity: { ...identifyMetric(info.name, unitNames[unitCode]!), split },
    });
    if (made !== null) this.ofSplits.set(key, made);
    return made;
  }

  private curveOf(
    info: KeyInfo,
    unitCode: number,
    rank: number | null,
    hasSteps: boolean,
    previous: Pick<KeyInfo, 'name' | 'identity'> | null,
  ): SeriesBuilder | null {
    if (info.role === 'split') {
      const name = `${previous!.name} ${info.name}`;
      const { split } = identifyMetric(info.name);
      return this.record.curve(name, { rank, hasSteps, identity: { ...previous!.identity, split } });
    }
    if (info.curve !== null && info.curveUnit === unitCode && info.curveRank === rank) {
      if (hasSteps) info.curve.hasSteps = true;
      return info.curve;
    }
    let printed: string = unitNames[unitCode]!;
    // mmengine prints megabytes without saying so; its `[epoch][batch/batches]` gives it away.
    if (info.name === 'memory' && unitCode === unit.none && !Number.isNaN(this.scanner.bracketed))
      printed = 'mib';
    const curve = this.record.curve(info.name, {
      rank,
      hasSteps,
      identity: identifyMetric(info.name, printed),
    });
    info.curve = curve;
    info.curveUnit = unitCode;
    info.curveRank = rank;
    return curve;
  }

  private rate(step: number, time: number, line: number): void {
    const { rate } = this.scanner;
    if (Number.isNaN(rate) || !Number.isFinite(rate)) return;
    this.rateCurve ??= this.record.curve('it/s', {
      identity: { metric: 'throughput', split: 'train', subject: 'progress bar', unit: 'steps/s', scale: 1 },
    });
    this.rateCurve?.push(step, rate, time, line);
  }

  private finished(bytes: Buffer, start: number, end: number, line: number): void {
    this.record.exit({
      source: 'python',
      reason: 'completed',
      code: null,
      signal: null,
      rank: null,
      text: bytes.toString('utf8', start, Math.min(end, start + 300)),
      at: this.record.at(line),
      time: null,
      step: this.clock.last,
    });
  }
}

/** A score whose own name says nothing of a split; a loss too where something said of which part it is, and any measure where the line itself did. */
function takesSplit(info: KeyInfo, said: boolean, opened: boolean): boolean {
  const { role, identity, name } = info;
  return (
    role === 'metric' &&
    identity.split === 'train' &&
    (identity.metric === 'accuracy' ||
      identity.metric === 'f1' ||
      identity.metric === 'perplexity' ||
      (opened && hasSplits(info) && (said || identity.metric !== 'other'))) &&
    !/tr(ai)?n/i.test(name)
  );
}

/** What a word before the parts of the data names. */
function named(word: string): Pick<KeyInfo, 'name' | 'identity'> {
  return { name: word, identity: identifyMetric(word.toLowerCase() === 'error' ? 'loss' : word) };
}

/** What is measured on several sets of data; a rate, a time or an amount of memory is not. */
function hasSplits({ identity }: KeyInfo): boolean {
  return measuredOnData.has(identity.metric);
}

const measuredOnData: ReadonlySet<MetricName> = new Set([
  'loss',
  'accuracy',
  'perplexity',
  'f1',
  'auc',
  'error_rate',
  'error_metric',
  'explained_variance',
  'reward',
  'entropy',
  'kl',
  'other',
] as const);

/** `[12]` and a tab begin the line: how boosted trees count their rounds. */
function isRound(bytes: Buffer, start: number, end: number): boolean {
  if (bytes[start] !== 0x5b) return false;
  let at = start + 1;
  while (at < end && bytes[at]! >= 0x30 && bytes[at]! <= 0x39) at++;
  return at > start + 1 && bytes[at] === 0x5d && bytes[at + 1] === 0x09;
}

function hasBrace(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] === 0x7b) return true;
  return false;
}
