// Who kept whom waiting, over dumps as NCCL's recorder writes them: with states, with the members of every group, with messages
// between two ranks.
import { describe, expect, it } from 'vitest';
import type { Call, CallState } from '../../src/ranks/dumps/call.js';
import type { RankDump } from '../../src/ranks/dumps/dump.js';
import { standstillOf } from '../../src/ranks/dumps/standstill.js';

type Step = readonly [group: string, operation: string, state: CallState, sizes?: string];

/** One dump per rank; sequence numbers count up within a group. */
function job(
  groups: Readonly<Record<string, readonly number[]>>,
  calls: Readonly<Record<number, readonly Step[]>>,
): RankDump[] {
  return Object.entries(calls).map(([rank, steps]) => {
    const turns = new Map<string, number>();
    return {
      rank: Number(rank),
      file: `trace_rank_${rank}`,
      groups: Object.entries(groups)
        .filter(([, ranks]) => ranks.includes(Number(rank)))
        .map(([name, ranks]) => ({ name, description: name, ranks })),
      keepsStates: true,
      isCut: false,
      calls: steps.map(([group, operation, state, sizes = '8>8'], index): Call => {
        const pair = operation.startsWith('send') || operation.startsWith('recv');
        const key = `${group} ${pair}`;
        const sequence = (turns.get(key) ?? 0) + 1;
        turns.set(key, sequence);
        return {
          group,
          sequence,
          pair,
          batch: 0,
          operation,
          sizes,
          types: 'Float',
          state,
          time: 1000 + index,
          duration: null,
          frame: null,
        };
      }),
    };
  });
}

const all = [0, 1, 2, 3];
const done: Step = ['world', 'all_reduce', 'completed'];
const open: Step = ['world', 'all_reduce', 'started'];
const queued: Step = ['world', 'all_reduce', 'scheduled'];

describe('a standstill', () => {
  it('begins at the rank that never called the collective', () => {
    const still = standstillOf(
      job({ world: all }, { 0: [done, open], 1: [done, open], 2: [done], 3: [done, open] }),
    );
    expect(still).toMatchObject({ first: [2], missing: [], circular: false, disagreement: null });
    expect(still?.groups).toMatchObject([{ sequence: 2, waiting: [0, 1, 3], behind: [2] }]);
  });

  it('begins at the rank whose dump is missing', () => {
    expect(
      standstillOf(job({ world: all }, { 0: [done, open], 1: [done, open], 3: [done, open] })),
    ).toMatchObject({
      first: [2],
      missing: [2],
    });
  });

  it('is followed through groups to the rank that waits for nobody', () => {
    // 0 and 1 wait in the world for 2; 2 waits in its pair for 3; 3 waits for nobody.
    const pairs = { world: all, right: [2, 3] };
    const still = standstillOf(
      job(pairs, {
        0: [done, open],
        1: [done, open],
        2: [done, ['right', 'all_gather', 'started']],
        3: [done],
      }),
    );
    expect(still?.first).toEqual([3]);
  });

  it('begins at the device that has not come to a collective which the others run', () => {
    expect(
      standstillOf(
        job({ world: all }, { 0: [done, open], 1: [done, open], 2: [done, open], 3: [done, queued] }),
      ),
    ).toMatchObject({ first: [3], disagreement: null });
  });

  it('of a pipeline begins at the stage that does not send', () => {
    const still = standstillOf(
      job(
        { world: all },
        {
          0: [
            ['world', 'send 0->1', 'completed'],
            ['world', 'recv 0<-1', 'started'],
          ],
          1: [
            ['world', 'recv 1<-0', 'completed'],
            ['world', 'recv 1<-2', 'started'],
          ],
          2: [],
          3: [],
        },
      ),
    );
    expect(still?.first).toEqual([2]);
  });

  it('that goes round is told as a circle, and no rank is called the first', () => {
    const still = standstillOf(
      job(
        { a: [0, 1], b: [0, 1] },
        { 0: [['a', 'all_reduce', 'started']], 1: [['b', 'all_reduce', 'started']] },
      ),
    );
    expect(still).toMatchObject({ circular: true, first: [0, 1] });
  });

  it('is none where every collective ended, or where the last one runs everywhere', () => {
    expect(standstillOf(job({ world: all }, { 0: [done], 1: [done], 2: [done], 3: [done] }))).toBeNull();
    expect(
      standstillOf(
        job({ world: all }, { 0: [done, open], 1: [done, open], 2: [done, open], 3: [done, open] }),
      ),
    ).toBeNull();
    expect(standstillOf([])).toBeNull();
  });
});

describe('a disagreement', () => {
  const [a, b, c]: Step[] = [
    ['world', 'all_reduce', 'completed', '4>4'],
    ['world', 'all_reduce', 'completed', '8>8'],
    ['world', 'all_gather', 'completed', '2>8'],
  ];
  const steps = (list: readonly (Step | undefined)[]): Step[] => list.map((step) => step!);

  it('tells the rank that left one out from one that added one', () => {
    const usual = steps([a, b, c, a, b, c]);
    const skipping = standstillOf(
      job({ world: all }, { 0: usual, 1: usual, 2: steps([a, c, a, b, c]), 3: usual }),
    );
    expect(skipping?.disagreement).toMatchObject({
      difference: 'skipped',
      ranks: [2],
      sequence: 2,
      settled: true,
    });
    const adding = standstillOf(
      job({ world: all }, { 0: usual, 1: steps([a, a, b, c, a, b, c]), 2: usual, 3: usual }),
    );
    expect(adding?.disagreement).toMatchObject({ difference: 'added', ranks: [1], settled: true });
  });

  it('tells another shape from another operation', () => {
    const shape = standstillOf(
      job({ world: all }, { 0: steps([a]), 1: steps([a]), 2: steps([b]), 3: steps([a]) }),
    );
    expect(shape?.disagreement).toMatchObject({ difference: 'shape', ranks: [2] });
    const operation = standstillOf(
      job({ world: all }, { 0: steps([a]), 1: steps([a]), 2: steps([c]), 3: steps([a]) }),
    );
    expect(operation?.disagreement).toMatchObject({ difference: 'operation', ranks: [2] });
  });

  it('between two ranks blames neither', () => {
    const still = standstillOf(
      job(
        { pair: [0, 1] },
        { 0: [['pair', 'all_reduce', 'started', '4>4']], 1: [['pair', 'all_reduce', 'started', '8>8']] },
      ),
    );
    expect(still?.disagreement).toMatchObject({ ranks: [0, 1], settled: false });
  });

  it('is none where ranks may give different shapes', () => {
    const uneven = (sizes: string): Step[] => [['world', 'all_to_all', 'completed', sizes]];
    expect(standstillOf(job({ world: [0, 1] }, { 0: uneven('3>5'), 1: uneven('5>3') }))).toBeNull();
  });
});
