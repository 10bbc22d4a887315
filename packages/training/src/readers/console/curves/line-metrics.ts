// Turns the pairs of a line into points: decides what the step is (a counter, a progress bar, an epoch and a batch)
// and which curve each value belongs to. Console formats differ only here, and only in what they leave out.

import { has, sign } from '../../bytes/characters.js';
import type { FileRecord } from '../../collect/file-record.js';
import { lineTime } from '../line-time.js';
import type { LinePairs } from '../pairs/line-pairs.js';
import { PairScanner } from '../pairs/scanner.js';
import { hasBothBare, type Measure, measureOfBareParts } from '../parts/bare-parts.js';
import { tellSplits } from '../parts/line-split.js';
import { PartOfData } from '../parts/part-of-data.js';
import { hasParts, PartsInLine, saidFirst } from '../parts/parts-in-line.js';
import { type BareLine, type Marks, rankOfBytes } from '../ranks/prefix.js';
import { LineCounters } from './line-counters.js';
import { LineCurves } from './line-curves.js';
import { LinePoints } from './line-points.js';
import { LineTemplates } from './line-templates.js';
import { StepClock } from './step-clock.js';

/** `return 1.0 * x` in code that was pasted beside its log is no return that was earned. */
const statement = /^\s*(?:return|def|class|elif|import|assert|raise)\s/;

/** Each rank counts its own steps, and what it evaluates is no part of another's lines; where lines are mixed they come in any order. */
interface OfRank {
  readonly clock: StepClock;
  readonly part: PartOfData;
}

export class LineMetrics {
  private readonly scanner: PairScanner;
  private readonly pairs: LinePairs;
  private readonly templates = new LineTemplates();
  private readonly counters = new LineCounters();
  private readonly curves: LineCurves;
  private readonly points = new LinePoints();
  private readonly parts: PartsInLine;
  /** Of the rank whose line was read last. */
  private clock: StepClock;
  private part: PartOfData;
  private readonly ofRanks = new Map<number | null, OfRank>();
  /** Of how many epochs lines speak that count the batches of each as well; NaN where none does. */
  private epochs = Number.NaN;
  private hasTime = true;
  private hasRank = true;

  /** `rank`: of lines that name none; `marks`: how lines name theirs, and `markedSize` of how many a rank is said to be one; `ofProcess`: whose a process is. */
  constructor(
    private readonly record: FileRecord,
    private readonly rank: number | null,
    private readonly marks: Marks,
    markedSize: number | null,
    private readonly ofProcess: (process: BareLine['process']) => number | null,
  ) {
    this.scanner = new PairScanner(markedSize);
    this.pairs = this.scanner.pairs;
    this.parts = new PartsInLine(this.pairs);
    this.curves = new LineCurves(record);
    const own = this.ofRank(rank);
    this.clock = own.clock;
    this.part = own.part;
  }

  /** Of which part of the data lines are that name no rank. */
  get ownPart(): PartOfData {
    return this.ofRank(this.rank).part;
  }

  /** The last step seen, for lines that give none. */
  get lastStep(): number | null {
    return this.clock.last;
  }

  /** Reads a line of a kind met before; returns its end, or -1 when the line is new and must be scanned. */
  consumeKnown(bytes: Buffer, start: number, end: number, line: number): number {
    const { templates } = this;
    const lineEnd = templates.match(bytes, start, end, this.pairs);
    if (lineEnd < 0) return -1;
    this.hasTime = templates.hasTime;
    this.hasRank = templates.hasRank;
    this.interpret(bytes, start, lineEnd, line);
    return lineEnd;
  }

  /** True when the line was one of metrics or progress. */
  consume(bytes: Buffer, start: number, end: number, line: number): boolean {
    if (isStatement(bytes, start, end)) this.pairs.clear();
    else this.scanner.scan(bytes, start, end);
    if (!Number.isNaN(this.pairs.outer)) this.epochs = this.pairs.outer;
    tellSplits(bytes, start, end, this.pairs);
    this.hasTime = true;
    this.hasRank = true;
    return this.interpret(bytes, start, end, line);
  }

  /** Remembers the kind of the line consumed last. */
  learn(bytes: Buffer, start: number, end: number): void {
    if (this.pairs.hasDigest) return;
    this.templates.learn(bytes, start, end, this.pairs, {
      hasTime: !Number.isNaN(lineTime(bytes, start, end)),
      hasRank: rankOfBytes(bytes, start, end, this.marks, this.ofProcess) !== null,
    });
  }

  /** Gives waiting points the last step there was. */
  flush(step = this.clock.last): void {
    this.points.flush(step);
  }

  private ofRank(rank: number | null): OfRank {
    const known = this.ofRanks.get(rank);
    if (known !== undefined) return known;
    const made = { clock: new StepClock(this.record), part: new PartOfData() };
    this.ofRanks.set(rank, made);
    return made;
  }

  private rankOf(bytes: Buffer, start: number, end: number): number | null {
    const told = this.hasRank ? rankOfBytes(bytes, start, end, this.marks, this.ofProcess) : null;
    return told ?? this.rank;
  }

  private interpret(bytes: Buffer, start: number, end: number, line: number): boolean {
    const { pairs, points, counters } = this;
    if (pairs.count === 0 && pairs.barAt < 0 && Number.isNaN(pairs.fraction)) {
      if (pairs.opens !== null) this.part = this.ofRank(this.rankOf(bytes, start, end)).part;
      this.part.pass(pairs.opens, start === end);
      return false;
    }
    const rank = this.rankOf(bytes, start, end);
    const { clock, part } = this.ofRank(rank);
    this.clock = clock;
    this.part = part;
    counters.read(pairs, end);
    const { epoch, known, counts, isFinal } = counters;
    if (counters.plans) clock.plan(pairs.total);
    const inherited = known > 0 && !isFinal ? part.of(pairs, epoch, counts, points.loss !== null) : null;
    // Batches of what is held out are no steps of training, which stands still.
    const standsStill = known > 0 && (inherited ?? saidFirst(pairs)) !== null;
    const step = this.stepOf(bytes, start, end, standsStill);
    if (!Number.isNaN(epoch)) clock.seeEpoch(epoch);
    if (isFinal) {
      this.finished(bytes, start, end, line);
      return true;
    }
    const hasStep = !Number.isNaN(step);
    const time = this.hasTime ? lineTime(bytes, start, end) : Number.NaN;
    if (pairs.barAt >= 0 && hasStep) {
      this.flush(step);
      if (Number.isFinite(pairs.rate)) this.curves.ofRate()?.push(step, pairs.rate, time, line);
    }
    const measures = known + counters.others;
    if (measures > 0 && (known > 0 || hasStep || pairs.barAt < 0)) {
      // A dictionary of values gives the epoch with decimals, and no counter: its epoch is no step.
      const isDictionary = !hasStep && has(bytes, sign.openingBrace, start, counters.epochAt);
      this.parts.begin(counts, inherited);
      this.addPoints(step, isDictionary ? Number.NaN : epoch, time, line, rank);
      if (counters.hasNanSteps && !counters.hasLoss && hasStep)
        points.loss?.push(step, Number.NaN, time, line);
    }
    if (measures === 0) part.pass(pairs.opens, false);
    return known > 0 || hasStep || pairs.barAt >= 0;
  }

  /** The step of a line that counts in some way; NaN for every other. */
  private stepOf(bytes: Buffer, start: number, end: number, standsStill: boolean): number {
    const { pairs, clock } = this;
    const { step, priority, epoch, known, others } = this.counters;
    if (standsStill && priority <= 1) return Number.NaN;
    if (priority === 1 && !Number.isNaN(epoch))
      return clock.within(epoch, step, pairs.fractionPair >= 0 ? pairs.total : Number.NaN);
    if (Number.isNaN(step)) {
      if (known + others > 0 && isRound(bytes, start, end)) {
        clock.see(pairs.bracketed);
        return pairs.bracketed;
      }
      if (!this.countsEpochs()) return clock.fromProgress(bytes, start, pairs, epoch, known > 0);
    }
    if (known === 0 && (others === 0 || priority <= 1) && pairs.barAt < 0) return Number.NaN;
    const ofRun = clock.ofRun(step, epoch);
    clock.see(ofRun);
    return ofRun;
  }

  /** Whether what the line counts out of a total are epochs: by its name, or by a total that is theirs. */
  private countsEpochs(): boolean {
    const { fractionPair, keys, total, bracketed, barAt } = this.pairs;
    if (fractionPair >= 0) return keys[fractionPair]!.role === 'epoch';
    return barAt < 0 && Number.isNaN(bracketed) && total === this.epochs;
  }

  private addPoints(step: number, epoch: number, time: number, line: number, rank: number | null): void {
    const { pairs, clock, parts, curves, points } = this;
    const { keys, values, units, count } = pairs;
    const { known, hasBareParts } = this.counters;
    const guess = Number.isNaN(step) ? clock.guess(epoch) : null;
    const at = guess?.step ?? step;
    const waits = guess !== null && known > 0 && clock.isDrawn && points.hasRoom;
    const hasSteps = waits || (guess?.certain ?? true);
    const hasFraction = !Number.isNaN(pairs.fraction);
    // mmengine prints megabytes without saying so; its `[epoch][batch/batches]` gives it away.
    const isMegabytes = !Number.isNaN(pairs.bracketed);
    const ofBareParts = hasBareParts ? measureOfBareParts(pairs) : null;
    const isOfBoth = hasBareParts && hasBothBare(pairs);
    let previous: Measure | null = null;
    for (let index = 0; index < count; index++) {
      const info = keys[index]!;
      if (info.role !== 'metric' && info.role !== 'split') continue;
      let measure = ofBareParts ?? previous;
      if (ofBareParts === null && isOfBoth && measure?.identity.metric === 'loss') measure = null;
      if (info.role === 'split' && measure === null && !isOfBoth) continue;
      const part = parts.of(index);
      // Of the batches of an evaluation their average counts, and of it the last: `Test: [90/98] Loss 1.53 (1.41)`.
      const runs = hasFraction && (part ?? info.identity.split) !== 'train';
      if (runs && info.average !== null && index + 1 < count && keys[index + 1] === info.average) continue;
      const shown = runs ? (info.averages ?? info) : info;
      const curve =
        info.role === 'split'
          ? curves.ofBarePart(info, rank, hasSteps, measure)
          : parts.apart !== null
            ? curves.ofPart(shown, units[index]!, rank, hasSteps, parts.apart)
            : curves.of(shown, units[index]!, rank, hasSteps, isMegabytes);
      const isMeasure = hasParts(info);
      if (info.role === 'metric' && isMeasure) previous = info;
      if (curve === null) continue;
      if (guess?.isEpoch) curve.countsEpochs = true;
      const { identity } = curve.key;
      // `Accuracy: 9312/10000` counts what was right.
      const isShare = index === pairs.fractionPair && identity.metric === 'accuracy';
      const value = isShare ? values[index]! / pairs.total : values[index]! * identity.scale;
      if (identity.split === 'train') {
        if (identity.metric === 'loss') points.loss = curve;
        if (isMeasure) points.trainedAt = line;
      }
      if (shown !== info) points.forget(curve);
      if (waits) points.wait(curve, value, time, line);
      else curve.push(Number.isNaN(at) ? points.next(curve, clock) : at, value, time, line);
      this.record.points++;
    }
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

function isStatement(bytes: Buffer, start: number, end: number): boolean {
  return statement.test(bytes.toString('latin1', start, Math.min(end, start + 60)));
}

/** `[12]` and a tab begin the line: how boosted trees count their rounds. */
function isRound(bytes: Buffer, start: number, end: number): boolean {
  if (bytes[start] !== 0x5b) return false;
  let at = start + 1;
  while (at < end && bytes[at]! >= 0x30 && bytes[at]! <= 0x39) at++;
  return at > start + 1 && bytes[at] === 0x5d && bytes[at + 1] === 0x09;
}
