// Which curve a value of a line is a point of.
import { identifyMetric } from '../../../record/metrics.js';
import type { Split } from '../../../record/split.js';
import type { FileRecord } from '../../collect/file-record.js';
import { nameless } from '../../collect/nameless.js';
import type { SeriesBuilder } from '../../collect/series-builder.js';
import type { KeyInfo } from '../pairs/key-table.js';
import { unit, unitNames } from '../pairs/units.js';
import type { Measure } from '../parts/bare-parts.js';

export class LineCurves {
  private readonly ofParts = new Map<string, SeriesBuilder>();
  private rateCurve: SeriesBuilder | null = null;

  constructor(private readonly record: FileRecord) {}

  /** `isMegabytes`: of memory without a unit. */
  of(
    info: KeyInfo,
    kind: number,
    rank: number | null,
    hasSteps: boolean,
    isMegabytes: boolean,
  ): SeriesBuilder | null {
    if (info.curve !== null && info.curveUnit === kind && info.curveRank === rank) {
      if (hasSteps) info.curve.hasSteps = true;
      return info.curve;
    }
    const printed = isMegabytes && info.name === 'memory' && kind === unit.none ? 'mib' : unitNames[kind]!;
    const identity = identifyMetric(info.name, printed);
    info.curve = this.record.curve(info.name, { rank, hasSteps, identity });
    info.curveUnit = kind;
    info.curveRank = rank;
    return info.curve;
  }

  /** Of a part of the data that the name does not say. */
  ofPart(
    info: KeyInfo,
    kind: number,
    rank: number | null,
    hasSteps: boolean,
    split: Split,
  ): SeriesBuilder | null {
    const key = `${split} ${kind} ${rank} ${info.name}`;
    const known = this.ofParts.get(key);
    if (known !== undefined) {
      if (hasSteps) known.hasSteps = true;
      return known;
    }
    const identity = { ...identifyMetric(info.name, unitNames[kind]!), split };
    const made = this.record.curve(`${split} ${info.name}`, { rank, hasSteps, identity });
    if (made !== null) this.ofParts.set(key, made);
    return made;
  }

  /** Of a value that has the part of its data for a name; `measure`: what it tells, null where nothing says that. */
  ofBarePart(
    info: KeyInfo,
    rank: number | null,
    hasSteps: boolean,
    measure: Measure | null,
  ): SeriesBuilder | null {
    const { split } = info.identity;
    const told = measure?.identity ?? { metric: 'other', subject: nameless, unit: '', scale: 1 };
    const name = measure === null ? info.name : `${measure.name} ${info.name}`;
    return this.record.curve(name, { rank, hasSteps, identity: { ...told, split } });
  }

  /** Of how fast a progress bar goes. */
  ofRate(): SeriesBuilder | null {
    this.rateCurve ??= this.record.curve('it/s', {
      identity: { metric: 'throughput', split: 'train', subject: 'progress bar', unit: 'steps/s', scale: 1 },
    });
    return this.rateCurve;
  }
}
