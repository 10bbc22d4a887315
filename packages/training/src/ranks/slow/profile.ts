// Figures of every rank, written once by a profiler or step by step by the ranks: who stands out. One rank, or all ranks of one host.
import { once } from '../../features/once.js';
import { median } from '../../features/robust.js';
import { communicates, isTimed, isWhole, meets, worksAlone } from '../../record/phase-names.js';
import type { RunRecord, Where } from '../../record/run-record.js';
import { hostOfAll } from '../present/presence.js';
import { lateLevel, stillSlower } from './trade.js';

export interface Outlier {
  /** Ascending; of one host where they are several. */
  readonly ranks: readonly number[];
  readonly name: string;
  readonly own: number;
  readonly others: number;
  /** It sends or receives slowly; else it works slowly. */
  readonly ofLink: boolean;
  /** They kept up at first. */
  readonly turned: boolean;
  readonly at: Where;
}

const fewestRanks = 4;
const clearly = 1.5;
/** How far the others may be from each other. */
const alike = 1.25;
const shareOfStep = 0.1;
const waits = /wait|idle|bubble|stall/i;
const sends = /(?:^|[\W_])(?:send|recv|p2p|rtt|ping|latency)/i;
/** More is better, on a link and in general. */
const ofRate =
  /(?:^|[\W_])(?:(?:bus|alg)[_ ]?bw|bandwidth|gb(?:it)?[_/ ]?p?s|mb[_/ ]?s)(?:$|[\W_])|clock|mhz|(?:samples|tokens|images|items|steps|it|seq\w*)[_ ]?(?:per|\/)[_ ]?s/i;
const ofLinks = /bw|bandwidth|gb|mb/i;

interface Row {
  readonly rank: number;
  readonly value: number;
  /** The same of the first and of the last part of the steps. */
  readonly early: number;
  readonly late: number;
  readonly at: Where;
}

export const outlierIn = once(outlierOf);

function outlierOf(record: RunRecord): Outlier | null {
  const { tables, step, isTraded } = tablesIn(record);
  for (const [name, rows] of tables) {
    const isRate = ofRate.test(name);
    const ofLink = isRate ? ofLinks.test(name) : sends.test(name);
    // In a collective the slow one waits least; in a wait nobody works.
    if (rows.length < fewestRanks || (!isRate && (waits.test(name) || (communicates(name) && !ofLink))))
      continue;
    const worse = ({ value }: Row): number => (isRate ? 1 / value : value);
    const usual = median(rows.map(worse));
    const high = rows.filter((row) => worse(row) >= clearly * usual).sort((a, b) => a.rank - b.rank);
    const others = rows.filter((row) => !high.includes(row)).map(worse);
    const ranks = high.map(({ rank }) => rank);
    if (
      high.length === 0 ||
      high.length * 2 >= rows.length ||
      (ranks.length > 1 && hostOfAll(record, ranks) === null)
    )
      continue;
    if (Math.max(...others) > alike * usual) continue;
    if (
      isTraded(name) &&
      !(high.every(turnedSlow) && !rows.some((row) => !high.includes(row) && turnedSlow(row)))
    )
      continue;
    const lateOf = (row: Row): number => (isRate ? 1 / row.late : row.late);
    if (Math.min(...high.map(lateOf)) < stillSlower * median(rows.map(lateOf))) continue;
    if (!isRate && step > 0 && Math.min(...high.map(worse)) - usual < shareOfStep * step) continue;
    return {
      ranks,
      name,
      own: median(high.map(({ value }) => value)),
      others: median(rows.filter((row) => !high.includes(row)).map(({ value }) => value)),
      ofLink,
      turned: high.every(turnedSlow),
      at: high[0]!.at,
    };
  }
  return null;
}

/** Figures that stand once beside each rank, and the middle of those that every rank gave again and again; about how long a step lasts. */
function tablesIn(record: RunRecord): {
  readonly tables: ReadonlyMap<string, readonly Row[]>;
  readonly step: number;
  /** Where the waits are told too, who is slow keeps the others waiting, unless each waits for its neighbours: work of its own alone counts. */
  readonly isTraded: (name: string) => boolean;
} {
  const tables = new Map<string, Row[]>();
  const isTraded = (name: string): boolean => tellsWaits && !ofRate.test(name) && !sends.test(name);
  const tellsWaits = record.series.some(
    ({ rank, rawName, length }) =>
      rank !== null && length >= fewestSteps && (meets(rawName) || waits.test(rawName)),
  );
  for (const series of record.series) {
    const { rank, reader, rawName, values, length, where } = series;
    const isTold = isTimed(series) || ofRate.test(rawName);
    if (rank === null || !isTold || (length === 1 ? reader !== 'seat-table' : length < fewestSteps)) continue;
    if (length > 1 && isTraded(rawName) && !worksAlone(rawName)) continue;
    if (values.every((value, at) => at === 0 || value > values[at - 1]!) && length > 1) continue;
    const finite = [...values].filter(Number.isFinite);
    if (finite.length === 0) continue;
    const rows = tables.get(rawName) ?? [];
    tables.set(rawName, rows);
    rows.push({
      rank,
      value: median(finite),
      early: earlyLevel(finite),
      late: lateLevel(finite),
      at: where(0),
    });
  }
  const whole = [...tables].find(([name]) => isWhole(name));
  return { tables, isTraded, step: whole ? median(whole[1].map(({ value }) => value)) : 0 };
}

const fewestSteps = 5;

/** Several times longer than it was for the rank itself. */
function turnedSlow({ early, late }: Row): boolean {
  return late >= 2 * early;
}

function earlyLevel(values: readonly number[]): number {
  return median(values.slice(0, Math.max(2, Math.floor(values.length / 8))));
}
