// A table of where each rank runs, as people keep one beside a job: "rank host gpu pid bus" over rows of these, parted by spaces, tabs
// or commas. Figures that a profiler puts beside the place of each rank are kept as its own.
import { busOf } from '../../record/seat.js';
import { ranksIn } from '../collect/places.js';
import { defineReader, wholeFile } from '../reader.js';

const largest = 1024 * 1024;

/** What the parts of a place are called, in tables and in lines. */
export const columns: Readonly<Record<string, readonly string[]>> = {
  rank: ['rank', 'global_rank', 'world_rank', 'grank', 'ranks'],
  host: ['host', 'hostname', 'node', 'nodename', 'machine', 'ip'],
  device: ['gpu', 'device', 'gpu_id', 'cuda', 'local_rank', 'local', 'lrank'],
  pid: ['pid', 'process'],
  bus: ['bus', 'bus_id', 'busid', 'pci', 'pci_bus_id', 'pci.bus_id'],
};

function cellsOf(line: string): string[] {
  return line
    .replace(/^#\s*/, '')
    .trim()
    .split(/\s*[,;\t|]\s*|\s+/);
}

/** Where each thing stands in a row; null unless the row names the rank, and where that runs. */
function headerOf(line: string): ReadonlyMap<string, number> | null {
  const names = cellsOf(line).map((cell) => cell.toLowerCase());
  const found = new Map<string, number>();
  for (const [kind, words] of Object.entries(columns)) {
    const at = words.map((word) => names.indexOf(word)).find((index) => index >= 0);
    if (at !== undefined) found.set(kind, at);
  }
  const isOfPlaces = found.has('rank') && (found.has('pid') || found.has('host') || found.has('bus'));
  return isOfPlaces && !names.some((name) => counters.test(name)) ? found : null;
}

/** A table of steps holds curves. */
const counters = /^(?:global_|train_)?(?:step|iter(?:ation)?|epoch|batch)s?$|^(?:time(?:stamp)?|ts|date)$/;

export const seatTable = defineReader({
  id: 'seat-table',
  title: 'table of ranks and their places',
  rewritten: true,
  fidelity: 0,
  matches: ({ text }) => {
    const [header = '', ...rows] = text.split(/\r?\n/, 200);
    const found = headerOf(header);
    if (found === null) return false;
    const ranks = rows.flatMap((row) => (row.trim() === '' ? [] : (cellsOf(row)[found.get('rank')!] ?? '')));
    return /^\d{1,6}(?:-\d{1,6})?$/.test(ranks[0] ?? '') && new Set(ranks).size === ranks.length;
  },
  open: (record) =>
    wholeFile(record, largest, (text) => {
      const [header = '', ...rows] = text.split(/\r?\n/);
      const found = headerOf(header)!;
      const names = cellsOf(header);
      for (const [at, row] of rows.entries()) {
        const cells = cellsOf(row);
        const cell = (kind: string): string | null => cells[found.get(kind) ?? -1] ?? null;
        const number = (kind: string): number | null => {
          const digits = /^(?:cuda:|gpu)?(\d{1,9})$/i.exec(cell(kind) ?? '')?.[1];
          return digits === undefined ? null : Number(digits);
        };
        const bus = cell('bus');
        const ranks = ranksIn(cell('rank') ?? '');
        const [rank, ...more] = ranks;
        for (const one of ranks)
          record.seat({
            rank: one,
            host: cell('host'),
            device: more.length > 0 ? null : number('device'),
            pid: number('pid'),
            bus: bus === null ? null : busOf(bus),
          });
        if (rank === undefined || more.length > 0) continue;
        const taken = new Set(found.values());
        for (const [column, name] of names.entries()) {
          const value = Number(cells[column]);
          if (taken.has(column) || cells[column] === '' || !Number.isFinite(value)) continue;
          record.curve(name, { rank, hasSteps: false })?.push(0, value, Number.NaN, at + 2);
        }
      }
    }),
});

const hostLine = /^([A-Za-z][\w.-]*)\s+(?:slots|max_slots|gpus)[ =](\d{1,3})\b/;

/** The list of hosts that MPI and DeepSpeed are given: ranks are counted through them, as many on each as it has slots. */
export const hostFile = defineReader({
  id: 'host-file',
  title: 'list of hosts and their slots',
  rewritten: true,
  fidelity: 0,
  matches: ({ text }) => {
    const lines = hostLinesOf(text.slice(0, 4000));
    return lines.length > 1 && lines.every((line) => hostLine.test(line));
  },
  open: (record) =>
    wholeFile(record, largest, (text) => {
      let rank = 0;
      for (const line of hostLinesOf(text)) {
        const [, host = null, slots] = hostLine.exec(line) ?? [];
        for (let device = 0; device < Number(slots ?? 0); device++)
          record.seat({ rank: rank++, host, device, pid: null });
      }
    }),
});

function hostLinesOf(text: string): string[] {
  return text.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'));
}
