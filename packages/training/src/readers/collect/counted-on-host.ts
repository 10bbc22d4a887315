// Launchers number the workers of each host from 0. Where the logs of several hosts lie beside each other, and none says which rank its first
// worker is, ranks are counted through the hosts in the order of their names.
import type { FileRecord } from './file-record.js';
import { baseOf, familyOf } from './names.js';

/** The rank of the first worker, for each such file; empty where the hosts are not counted, or do not have as many workers each. */
export function firstRanks(
  files: readonly FileRecord[],
  told: ReadonlyMap<string, ReadonlySet<number>>,
): ReadonlyMap<string, number> {
  const counting = files.filter(({ file, countsOnHost }) => countsOnHost && (told.get(file)?.size ?? 0) > 0);
  const names = counting.map(({ file }) => baseOf(file).replace(/\.[a-z]{1,6}$/i, ''));
  const each = Math.max(0, ...counting.flatMap(({ file }) => [...told.get(file)!])) + 1;
  const isCounted = new Set(names.map(familyOf)).size === 1 && new Set(names).size === names.length;
  const isAlike = counting.every(({ file }) => told.get(file)!.size === each);
  const isWhole = files.every(({ worldSize }) => worldSize === null || worldSize === each * counting.length);
  if (counting.length < 2 || !isCounted || !isAlike || !isWhole) return new Map();
  const order = [...names].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  return new Map(counting.map(({ file }, at) => [file, order.indexOf(names[at]!) * each]));
}
