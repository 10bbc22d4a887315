// Dumps as PyTorch writes them, in the keys and values of `FlightRecorder::dump_json` and `getCollectiveTrace`
// (torch/csrc/distributed/c10d/FlightRecorder.hpp and FlightRecorderDetail.hpp, PyTorch 2.13, dump version 2.10; `seq_id` and a group
// without a title as up to 2.3). Written by hand: NCCL needs a GPU per rank.
import { describe, expect, it } from 'vitest';
import { diagnoseRecord } from '../../src/index.js';
import { runOf } from '../readers/run-of.js';

interface Entry {
  readonly group: readonly [number: number, name: string, title: string];
  readonly turn: number;
  readonly operation: string;
  readonly state: 'scheduled' | 'started' | 'completed';
  readonly sizes?: readonly number[];
  readonly type?: string;
}

const world = [0, 'world_group', 'default_pg'] as const;
const call = (turn: number, state: Entry['state'], more: Partial<Entry> = {}): Entry => ({
  group: world,
  turn,
  operation: 'all_reduce',
  state,
  ...more,
});

const members = { world_group: '[0, 1, 2, 3]', left: '[0, 1]', right: '[2, 3]', stages: '[1, 3]' };

/** One file per rank; null where none was left. */
function dumps(
  ranks: readonly (readonly Entry[] | null)[],
  name = (rank: number) => `nccl_trace_rank_${rank}`,
): Record<string, string> {
  return Object.fromEntries(
    ranks.flatMap((entries, rank) => (entries === null ? [] : [[name(rank), dump(rank, entries)]])),
  );
}

function dump(rank: number, entries: readonly Entry[]): string {
  const mine = Object.entries(members).filter(([, list]) => list.includes(String(rank)));
  return JSON.stringify({
    version: '2.10',
    comm_lib_version: '2.27.5',
    pg_config: Object.fromEntries(
      mine.map(([group, list]) => [
        group,
        { name: group, desc: group === 'world_group' ? 'default_pg' : group, ranks: list },
      ]),
    ),
    pg_status: {
      '0': { last_enqueued_collective: 9, last_started_collective: -1, last_completed_collective: 6 },
    },
    nccl_comm_state: { '0x7f3a': { comm_hash: '0x12', rank: String(rank), n_ranks: '4', stage: 'running' } },
    entries: entries.map(({ group, turn, operation, state, sizes = [1024], type = 'Float' }, at) => {
      const isPair = /^(?:send|recv)/.test(operation);
      return {
        record_id: at,
        pg_id: group[0],
        process_group: [group[1], group[2]],
        collective_seq_id: isPair ? 0 : turn,
        p2p_seq_id: isPair ? turn : 0,
        op_id: at,
        profiling_name: `nccl:${operation}`,
        time_created_ns: 1_700_000_000_000_000_000 + at * 1000,
        input_sizes: [sizes],
        input_dtypes: [type],
        output_sizes: [sizes],
        output_dtypes: [type],
        state,
        time_discovered_started_ns: state === 'scheduled' ? 0 : 1_700_000_000_000_000_500,
        time_discovered_completed_ns: state === 'completed' ? 1_700_000_000_000_001_000 : 0,
        retired: state === 'completed',
        timeout_ms: 600_000,
        is_p2p: isPair,
        frames: [{ name: 'step', filename: '/job/train.py', line: 40 + turn }],
      };
    }),
  });
}

async function judged(files: Record<string, string>) {
  const { ranks, subcause } = diagnoseRecord(await runOf(files));
  const { first = null, behind = [], missing = [], world_size: size = 0 } = ranks ?? {};
  return { first: first?.rank ?? null, line: first?.line ?? null, behind, missing, size, subcause };
}

const done = (count: number) => Array.from({ length: count }, (_, at) => call(at + 1, 'completed'));
const waits = [...done(3), call(4, 'started')];

describe('a dump of PyTorch', () => {
  it('names the rank that did not call, under any name of the file', async () => {
    const ranks = [waits, waits, done(3), waits];
    const found = { first: 2, behind: [2], size: 4, subcause: 'collective_timeout' };
    expect(await judged(dumps(ranks))).toMatchObject(found);
    expect(await judged(dumps(ranks, (rank) => `_dump_${rank}`))).toMatchObject(found);
    expect(await judged(dumps(ranks, (rank) => `fr/rank${rank}.json`))).toMatchObject(found);
  });

  it('that was not left is evidence', async () => {
    expect(await judged(dumps([waits, null, waits, waits]))).toMatchObject({
      first: 1,
      behind: [1],
      missing: [1],
    });
  });

  it('tells sizes and types apart, with the line of the call', async () => {
    const wrong = (more: Partial<Entry>) =>
      dumps([waits, waits, waits, [...done(3), call(4, 'started', more)]]);
    const found = { first: 3, line: 44, subcause: 'collective_mismatch' };
    expect(await judged(wrong({ sizes: [512] }))).toMatchObject(found);
    expect(await judged(wrong({ type: 'BFloat16' }))).toMatchObject(found);
    expect(await judged(wrong({ operation: 'broadcast' }))).toMatchObject(found);
    // Parts of other sizes are fine where every rank means the same list.
    const parts = { operation: 'all_to_all' } as const;
    const uneven = [1, 2, 3, 4].map((size) => [
      call(1, 'completed', { ...parts, sizes: [size] }),
      ...waits.slice(1),
    ]);
    expect(await judged(dumps(uneven))).toMatchObject({ first: null });
  });

  it('follows the waiting through groups and messages', async () => {
    const stages = [3, 'stages', 'stages'] as const;
    const inGroup = (group: Entry['group'], state: Entry['state']) => call(1, state, { group });
    const ranks = [
      [...done(3), inGroup([1, 'left', 'left'], 'started')],
      [...done(3), call(1, 'started', { group: stages, operation: 'recv 0<-1' })],
      [...done(3), inGroup([2, 'right', 'right'], 'started')],
      done(3),
    ];
    expect(await judged(dumps(ranks))).toMatchObject({ first: 3, behind: [3] });
    // Half of the messages ended: the stage that has its second one open waits, the other side does not.
    const half = [
      waits,
      [
        ...done(3),
        ...[1, 2].map((turn) =>
          call(turn, turn === 1 ? 'completed' : 'started', { group: stages, operation: 'recv 0<-1' }),
        ),
      ],
      waits,
      [...done(3), call(1, 'completed', { group: stages, operation: 'send 1->0' })],
    ];
    expect(await judged(dumps(half))).toMatchObject({ first: 3, behind: [3] });
  });

  it('of open calls alone counts as whole, and one whose oldest calls were overwritten does not', async () => {
    const open = [
      { record_id: 6, turn: 7 },
      { record_id: 6, turn: 9 },
    ] as const;
    const [right, overwritten] = open.map(({ record_id, turn }) => {
      const files = dumps([[call(turn, 'started')], [], [call(turn, 'started')], [call(turn, 'started')]]);
      return Object.fromEntries(
        Object.entries(files).map(([name, text]) => [
          name,
          text.replace('"record_id":0', `"record_id":${record_id}`),
        ]),
      );
    });
    expect(await judged(right!)).toMatchObject({ first: 1, behind: [1] });
    expect(await judged(overwritten!)).toMatchObject({ first: null });
  });

  it('of an old version has one number per call and no title of the group', async () => {
    const old = Object.fromEntries(
      Object.entries(dumps([waits, waits, done(3), waits])).map(([name, text]) => {
        const value = JSON.parse(text) as { entries: Record<string, unknown>[] };
        for (const entry of value.entries) {
          entry['seq_id'] = entry['collective_seq_id'];
          entry['process_group'] = (entry['process_group'] as string[])[0];
          for (const key of ['collective_seq_id', 'p2p_seq_id', 'is_p2p', 'input_dtypes', 'op_id'])
            delete entry[key];
        }
        return [name, JSON.stringify(value)];
      }),
    );
    expect(await judged(old)).toMatchObject({ first: 2, behind: [2] });
  });
});
