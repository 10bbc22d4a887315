// Which rank runs where, as launchers introduce their workers ("ip=10.0.0.9, pid=702, world_rank=19") and as NCCL's own log says: "node7:812:901 [3] NCCL INFO comm 0x55 rank 11 nranks 16 cudaDev 3 …". Of several
// communicators the largest counts the ranks of the job.
import { busOfNumber } from '../../record/seat.js';
import type { FileRecord } from '../collect/file-record.js';
import { columns } from '../seat-table.js';
import type { DecodedLine } from './context.js';
import type { BareLine } from './prefix.js';

const speaker = /(?:^|\s)([\w.-]+):(\d+):\d+ (?:\[(\d+)\] )?(?:\S+:\d+ )?NCCL (?:INFO|WARN)/;
const communicator =
  /\bcomm 0x[0-9a-f]+ rank (\d+) n(?:R|r)anks (\d+)(?:.*?\bcudaDev (\d+))?(?:.*?\bbusId ([0-9a-f]+)\b)?/;

export class SeatLines {
  private largest = 0;
  private readonly rankOf = new Map<string, number>();

  constructor(private readonly record: FileRecord) {}

  /** The command that starts a launcher on each host, as shells print it: how many workers it has, and which of the hosts it is. */
  private launch(text: string): void {
    const option = (name: RegExp): number | null => {
      const found = new RegExp(`--${name.source}[ =](\\d{1,5})\\b`).exec(text);
      return found && Number(found[1]);
    };
    const [workers, hosts] = [option(/nproc[-_]per[-_]node/), option(/nnodes/)];
    if (workers === null || hosts === null) return;
    this.record.workers = Math.max(this.record.workers, workers);
    this.record.worldSize ??= workers * hosts;
    this.record.node ??= option(/node[-_]rank/);
  }

  /** A line that names a rank, its host and its process beside each other; `speaker`: the rank that it is marked with. */
  introduce(text: string, speaker: number | null): void {
    if (text.length < 2000 && text.includes('--nnodes')) this.launch(text);
    if (text.length > 300 || !(speaker === null ? /rank[=:]/i : /(?:rank|pid)[=:]/i).test(text)) return;
    const said = new Map<string, string>();
    for (const [, key, value] of text.matchAll(/\b([A-Za-z_]+)[=:] ?([\w.-]+)/g)) {
      const name = key!.toLowerCase();
      const kind = Object.keys(columns).find((column) => columns[column]!.includes(name));
      if (kind !== undefined && !said.has(kind)) said.set(kind, value!);
    }
    const number = (kind: string): number | null =>
      /^\d{1,9}$/.test(said.get(kind) ?? '') ? Number(said.get(kind)) : null;
    const [rank, pid] = [number('rank') ?? speaker, number('pid')];
    const host = said.get('host');
    if (rank === null || pid === null || host === undefined) return;
    this.record.seat({ rank, host, device: number('device'), pid });
  }

  /** The rank of a process that a line is marked with, where an earlier line introduced it. */
  ofProcess(process: BareLine['process']): number | null {
    if (process === undefined) return null;
    const { pid, host } = process;
    const found = [...this.record.seats.values()].filter(
      (seat) => seat.pid === pid && (host === null || seat.host === host),
    );
    return found.length === 1 ? found[0]!.rank : null;
  }

  /** The rank that wrote the line, where an earlier line said which process it is. */
  feed({ text }: DecodedLine): number | null {
    if (!text.includes('NCCL')) return null;
    const from = speaker.exec(text);
    if (from === null) return null;
    const [, host = '', pid = '', device] = from;
    const said = communicator.exec(text);
    if (said) {
      const [rank, size] = [Number(said[1]), Number(said[2])];
      if (size > this.largest) {
        this.largest = size;
        this.rankOf.clear();
        this.record.seats.clear();
        this.record.worldSize = size;
      }
      if (size === this.largest) {
        this.rankOf.set(`${host}:${pid}`, rank);
        const number = said[3] ?? device;
        this.record.seat({
          rank,
          host,
          device: number === undefined ? null : Number(number),
          pid: Number(pid),
          bus: said[4] === undefined ? null : busOfNumber(said[4]),
        });
      }
    }
    return this.rankOf.get(`${host}:${pid}`) ?? null;
  }
}
