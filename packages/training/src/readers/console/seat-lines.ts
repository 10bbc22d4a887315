// Which rank runs where, as NCCL's own log says: "node7:812:901 [3] NCCL INFO comm 0x55 rank 11 nranks 16 cudaDev 3 …". Of several
// communicators the largest counts the ranks of the job.
import { busOfNumber } from '../../record/seat.js';
import type { FileRecord } from '../collect/file-record.js';
import type { DecodedLine } from './context.js';

const speaker = /(?:^|\s)([\w.-]+):(\d+):\d+ (?:\[(\d+)\] )?(?:\S+:\d+ )?NCCL (?:INFO|WARN)/;
const communicator =
  /\bcomm 0x[0-9a-f]+ rank (\d+) n(?:R|r)anks (\d+)(?:.*?\bcudaDev (\d+))?(?:.*?\bbusId ([0-9a-f]+)\b)?/;

export class SeatLines {
  private largest = 0;
  private readonly rankOf = new Map<string, number>();

  constructor(private readonly record: FileRecord) {}

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
