// The dump of PyTorch's flight recorder, one file per rank: which collectives the rank called, and which of them never ended.
// A pickle is read without running anything of it.
import { dumpOf } from '../../ranks/dumps/dump.js';
import { Dictionary, PickleError, type Plain, readPickle } from '../../ranks/dumps/pickle.js';
import { rankOfPath } from '../../ranks/present/path-rank.js';
import { parseTolerantJson } from '../bytes/tolerant-json.js';
import type { FileRecord } from '../collect/file-record.js';
import { defineReader, type FileHead } from '../reader.js';

const largest = 512 * 1024 * 1024;

export const flightRecorder = defineReader({
  id: 'flight-recorder',
  title: "dump of PyTorch's flight recorder",
  place: 'offset',
  rewritten: true,
  fidelity: 0,
  matches: ({ name, bytes, text }) =>
    bytes[0] === 0x80
      ? bytes.includes('pg_config') || (bytes.includes('profiling_name') && bytes.includes('process_group'))
      : !name.endsWith('.jsonl') &&
        /^\s*\{/.test(text) &&
        /"collective_seq_id"|"pg_config"/.test(text) &&
        /"entries"|"pg_status"/.test(text),
  open: (record, head) => {
    const chunks: Buffer[] = [];
    let size = 0;
    return {
      write(chunk) {
        size += chunk.length;
        if (size <= largest) chunks.push(Buffer.from(chunk));
      },
      end() {
        const rank = rankOf(head);
        if (size > largest) record.note('skipped', `larger than ${largest} bytes: not read`, -1);
        else if (rank === null) record.note('skipped', 'the name of the dump does not say its rank', -1);
        else keep(record, chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks), rank);
      },
    };
  },
});

/** As the path says, else the last number of the name: "dump.7". */
function rankOf({ path, name }: FileHead): number | null {
  const last = /(\d{1,6})\D*$/.exec(name);
  return rankOfPath(path) ?? (last ? Number(last[1]) : null);
}

function keep(record: FileRecord, bytes: Buffer, rank: number): void {
  let value: Plain;
  try {
    value = bytes[0] === 0x80 ? readPickle(bytes) : plainOf(parseTolerantJson(bytes.toString('utf8')));
  } catch (error) {
    if (!(error instanceof PickleError)) throw error;
    record.note(error.problem === 'cut' ? 'truncated' : 'corrupt', `flight recorder: ${error.message}`, -1);
    return;
  }
  const dump = dumpOf(value, rank, record.file);
  if (dump === null) record.note('corrupt', 'no entries of a flight recorder in it', -1);
  else record.dumps.push(dump);
}

function plainOf(value: unknown, depth = 0): Plain {
  if (depth > 12) return null;
  if (Array.isArray(value)) return value.map((item) => plainOf(item, depth + 1));
  if (typeof value === 'object' && value !== null)
    return new Dictionary(
      Object.entries(value).flatMap(([key, item]): Plain[] => [key, plainOf(item, depth + 1)]),
    );
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}
