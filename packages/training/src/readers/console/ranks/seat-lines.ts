// Which rank runs where, as launchers introduce their workers ("ip=10.0.0.9, pid=702, world_rank=19") and as NCCL's own log says: "node7:812:901 [3] NCCL INFO comm 0x55 rank 11 nranks 16 cudaDev 3 …". Of several
// communicators the largest counts the ranks of the job.
import { busOf, busOfNumber } from '../../../record/seat.js';
import type { FileRecord } from '../../collect/file-record.js';
import { introductionIn } from '../../collect/one-job.js';
import { isHost, ownHostIn, placeIn, ranksIn } from '../../collect/places.js';
import { columns } from '../../jobs/seat-table.js';
import type { DecodedLine } from '../context.js';
import { type BareLine, withoutStamp } from './prefix.js';

const speaker = /(?:^|\s)([\w.-]+):(\d+):\d+ (?:\[(\d+)\] )?(?:\S+:\d+ )?NCCL (?:INFO|WARN)/;
const communicator =
  /\bcomm 0x[0-9a-f]+ rank (\d+) n(?:R|r)anks (\d+)(?:.*?\bcudaDev (\d+))?(?:.*?\bbusId ([0-9a-f]+)\b)?/;

const beforeMark =
  /^(?:\S*\d\d:\d\d\S*\s+)?\W{0,2}([A-Za-z][\w-]*(?:\.[\w-]+)*)(?:\W{1,4}\[?(?:global[ _])?rank[ :=]{0,2}\d{1,5}\b|[:/]\d{1,5}\])/i;
/** What a launcher calls its workers on a host: "[trainer1]:[rank5]: …". */
const role = /^\[[A-Za-z]\w{0,30}?\d{1,5}\]:(?! )/;
/** A device in the table of `nvidia-smi`. */
const gpuRow = /^\|\s+(\d{1,3})\s+\S[^|]*\|\s*([0-9A-F]{8}:[0-9A-F]{2}:[0-9A-F]{2}\.\d)\b/i;

export class SeatLines {
  private largest = 0;
  private readonly rankOf = new Map<string, number>();
  private readonly placed = new Map<number, string>();

  constructor(private readonly record: FileRecord) {}

  /** The command that starts a launcher on each host, as shells print it: how many workers it has, and which of the hosts it is. */
  private launch(text: string): void {
    const option = (name: RegExp): number | null => {
      const found = new RegExp(`--${name.source}[ =](\\d{1,5})\\b`).exec(text);
      return found && Number(found[1]);
    };
    const [workers, hosts] = [option(/nproc[-_]per[-_]node/), option(/nnodes/)];
    if (workers === null || hosts === null) return;
    this.count(workers, hosts);
    this.record.node ??= option(/node[-_]rank/);
  }

  private count(workers: number, hosts: number): void {
    this.record.workers = Math.max(this.record.workers, workers);
    this.record.nodes = hosts;
    this.record.worldSize ??= workers * hosts;
  }

  /** The same as the launcher prints it, one setting to a line. */
  private readonly settings = new Map<string, number>();
  private configured(text: string): void {
    const found = /\b(nproc_per_node|max_nodes) +: (\d{1,5})\s*$/.exec(text);
    if (found) this.settings.set(found[1]!, Number(found[2]));
    const [workers, hosts] = ['nproc_per_node', 'max_nodes'].map((name) => this.settings.get(name));
    if (found && workers !== undefined && hosts !== undefined) this.count(workers, hosts);
  }

  /** A line that names ranks and their host. What only one rank is told of, by somebody else, may be no rank at all. */
  private place(text: string, speaker: number | null): void {
    if (/rank/i.test(text) && text.length < 2000) this.mapped(text);
    const introduced = text.length < 300 ? introductionIn(text) : null;
    const self = introduced?.rank ?? speaker;
    const host = introduced === null ? null : ownHostIn(text);
    const mayTell = /rank|tasks|host|node|machine|\bon\b/i.test(text);
    const found = host !== null ? { ranks: [self!], host } : mayTell ? placeIn(text, self) : null;
    if (found === null) return;
    for (const rank of found.ranks) this.placed.set(rank, found.host);
    const isOwn = found.ranks.every((rank) => rank === self);
    for (const [rank, host] of isOwn || this.placed.size > 1 ? this.placed : [])
      this.record.seat({ rank, host, device: null, pid: null });
  }

  /** Hosts with the list of their ranks: "{'gn01': [0, 1], 'gn02': [2, 3]}". Where each has the same list it counts devices. */
  private mapped(text: string): void {
    const hosts = [...text.matchAll(/['"]([\w.-]+)['"]: ?\[([\d, ]+)\]/g)].map(([, host, list]) => ({
      host: host!,
      ranks: ranksIn(list!),
    }));
    const all = hosts.flatMap(({ ranks }) => ranks);
    if (hosts.length < 2 || new Set(all).size < all.length || !hosts.every(({ host }) => isHost(host)))
      return;
    for (const { host, ranks } of hosts)
      for (const [device, rank] of ranks.entries()) this.record.seat({ rank, host, device, pid: null });
  }

  /** A line that names a rank, its host and its process beside each other; `speaker`: the rank that it is marked with. */
  introduce(text: string, speaker: number | null): void {
    if (text.length < 2000 && text.includes('--nnodes')) this.launch(text);
    if (text.length < 300 && text.includes('_node')) this.configured(text);
    this.place(text, speaker);
    const row = gpuRow.exec(text);
    if (row) this.record.buses.set(Number(row[1]), busOf(row[2]!)!);
    if (text.length > 300 || !(speaker === null ? /rank[=: ]/i : /(?:rank|pid)[=: ]/i).test(text)) return;
    const said = new Map<string, string>();
    for (const [, key, value] of text.matchAll(/\b([A-Za-z_]+)(?:[=:] ?|(?<=\b(?:rank|pid)) )([\w.-]+)/gi)) {
      const name = key!.toLowerCase();
      const kind = Object.keys(columns).find((column) => columns[column]!.includes(name));
      if (kind !== undefined && !said.has(kind)) said.set(kind, value!);
    }
    const number = (kind: string): number | null =>
      /^\d{1,9}$/.test(said.get(kind) ?? '') ? Number(said.get(kind)) : null;
    const [rank, pid] = [number('rank') ?? speaker, number('pid')];
    const host = said.get('host') ?? ownHostIn(text);
    if (rank === null || pid === null) return;
    this.record.seat({ rank, host, device: number('device'), pid });
  }

  /** A launcher or collector puts the host before the mark of the rank: "[gn07] [rank3]: …", "gn07 rank 3: …", "[gn07:3] …". */
  prefixed(raw: string, rank: number | null): void {
    if (rank === null || this.record.seats.get(rank)?.host) return;
    const head = withoutStamp(raw.slice(0, 200));
    const host = role.test(head) ? undefined : beforeMark.exec(head)?.[1];
    if (host !== undefined && isHost(host)) this.record.seat({ rank, host, device: null, pid: null });
  }

  /** A line that is marked with a process and with its rank. */
  meet({ pid, host }: NonNullable<BareLine['process']>, rank: number): void {
    this.record.seat({ rank, host, device: null, pid });
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
    if (device !== undefined) this.record.devices = Math.max(this.record.devices, Number(device) + 1);
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
