// Figures that a profiler wrote once for every rank, beside the place of each: who stands out. One rank, or all ranks of one host.
import { median } from '../features/robust.js';
import type { RunRecord, Where } from '../record/run-record.js';
import { hostsIn } from './presence.js';
import { communicates, isTimeName } from './trade.js';

export interface Outlier {
  /** Ascending; of one host where they are several. */
  readonly ranks: readonly number[];
  readonly name: string;
  readonly own: number;
  readonly others: number;
  /** It sends or receives slowly; else it works slowly. */
  readonly ofLink: boolean;
  readonly at: Where;
}

const fewestRanks = 4;
const clearly = 1.5;
const waits = /wait|idle|bubble|stall/i;
const sends = /(?:^|[\W_])(?:send|recv|p2p|rtt|ping|latency)/i;

export function outlierIn(record: RunRecord): Outlier | null {
  const tables = new Map<string, { readonly rank: number; readonly value: number; readonly at: Where }[]>();
  for (const { rank, reader, rawName, values, length, where } of record.series) {
    if (rank === null || reader !== 'seat-table' || length !== 1 || !isTimeName(rawName)) continue;
    const rows = tables.get(rawName) ?? [];
    tables.set(rawName, rows);
    rows.push({ rank, value: values[0]!, at: where(0) });
  }
  for (const [name, rows] of tables) {
    const ofLink = sends.test(name);
    // In a collective the slow one waits least; in a wait nobody works.
    if (rows.length < fewestRanks || waits.test(name) || (communicates(name) && !ofLink)) continue;
    const usual = median(rows.map(({ value }) => value));
    const high = rows.filter(({ value }) => value >= clearly * usual).sort((a, b) => a.rank - b.rank);
    const ranks = high.map(({ rank }) => rank);
    if (high.length === 0 || high.length * 2 >= rows.length || !isOfOne(record, ranks)) continue;
    return {
      ranks,
      name,
      own: median(high.map(({ value }) => value)),
      others: usual,
      ofLink,
      at: high[0]!.at,
    };
  }
  return null;
}

function isOfOne(record: RunRecord, ranks: readonly number[]): boolean {
  const hosts = hostsIn(record);
  const here = new Set(ranks.map((rank) => hosts.get(rank) ?? null));
  return ranks.length === 1 || (here.size === 1 && !here.has(null));
}
