// Jobs of tensor, pipeline and data groups, as a large model is trained: every rank's host hands its calls over in advance, its device
// works them off in order, and some ranks stop. What is written is what PyTorch's recorder would have dumped of it.

export interface Shape {
  readonly tensor: number;
  readonly data: number;
  readonly pipeline: number;
}

/** `host`: it never makes the call. `device`: the call is made, and the device never comes to it. `gone`: like host, without a dump. */
export interface Fault {
  readonly rank: number;
  readonly call: number;
  readonly kind: 'host' | 'device' | 'gone';
}

interface Step {
  readonly group: string;
  readonly operation: string;
  /** What the others call it: a collective by its turn, a message by its two ends and its turn. */
  readonly meets: string;
  readonly ranks: readonly number[];
  readonly turn: number;
  readonly pairTurn: number;
  /** The host reads its result, and so waits for it. */
  readonly isRead: boolean;
}

interface Options {
  readonly steps?: number;
  /** Whether the recorder knows when a call begins to run. */
  readonly timing?: boolean;
  /** How many entries the recorder keeps. */
  readonly kept?: number;
  /** Whether ranks count only the groups that they are in, so that names are not the same everywhere. */
  readonly ownNames?: boolean;
}

export interface Job {
  readonly files: Readonly<Record<string, string>>;
  /** Those of the faulty ranks that came to their fault, had nothing else open and are waited for. */
  readonly first: readonly number[];
}

const microbatches = 3;

export function pipelineJob(shape: Shape, faults: readonly Fault[], options: Options = {}): Job {
  const size = shape.tensor * shape.data * shape.pipeline;
  const ranks = Array.from({ length: size }, (_, rank) => rank);
  const { groups, programs } = programsOf(shape, options.steps ?? 2);
  const faultOf = new Map(faults.map((fault) => [fault.rank, fault]));
  const called = ranks.map(() => 0);
  const done = ranks.map(() => 0);
  const at = (rank: number): Step | undefined => {
    const fault = faultOf.get(rank);
    return done[rank]! < called[rank]! && !(fault?.kind === 'device' && fault.call <= done[rank]!)
      ? programs[rank]![done[rank]!]
      : undefined;
  };
  for (let moved = true; moved; ) {
    moved = false;
    for (const rank of ranks) {
      const stop = faultOf.get(rank)?.kind === 'device' ? Number.POSITIVE_INFINITY : faultOf.get(rank)?.call;
      const program = programs[rank]!;
      const isFree = () => called[rank] === done[rank] || !program[called[rank]! - 1]!.isRead;
      while (called[rank]! < Math.min(program.length, stop ?? program.length) && isFree()) {
        called[rank]!++;
        moved = true;
      }
    }
    for (const rank of ranks) {
      const step = at(rank);
      if (step?.ranks.every((other) => at(other)?.meets === step.meets)) {
        for (const other of step.ranks) done[other]!++;
        moved = true;
      }
    }
  }
  const names = (rank: number) =>
    options.ownNames
      ? [...groups].filter(([, members]) => members.includes(rank)).map(([name]) => name)
      : [...groups.keys()];
  const files = ranks.flatMap((rank): [string, string][] => {
    if (faultOf.get(rank)?.kind === 'gone') return [];
    const named = (name: string): string => String(names(rank).indexOf(name));
    const entries = programs[rank]!.slice(0, called[rank]).flatMap((step, index) => {
      const state =
        index < done[rank]! ? 'completed' : options.timing && at(rank) === step ? 'started' : 'scheduled';
      return entriesOf(step, named(step.group), state);
    });
    const config = [...groups].filter(([, members]) => members.includes(rank));
    const dump = {
      version: '2.10',
      pg_config: Object.fromEntries(
        config.map(([name, members]) => [
          named(name),
          { name: named(name), desc: name.split(' ')[0], ranks: `[${members.join(', ')}]` },
        ]),
      ),
      pg_status: {},
      entries: entries.map((entry, index) => ({ record_id: index, ...entry })).slice(-(options.kept ?? 2000)),
    };
    return [[`_dump_${rank}.json`, JSON.stringify(dump)]];
  });
  const isAwaited = (rank: number) =>
    ranks.some(
      (other) =>
        other !== rank &&
        done[other]! < called[other]! &&
        programs[other]![done[other]!]!.ranks.includes(rank),
    );
  const first = faults
    .filter(({ rank, call }) => done[rank] === call && isAwaited(rank))
    .map(({ rank }) => rank);
  return { files: Object.fromEntries(files), first: first.sort((a, b) => a - b) };
}

function entriesOf(step: Step, name: string, state: string): object[] {
  const isMessage = step.ranks.length === 2 && step.meets.includes('>');
  const entry = {
    pg_id: Number(name),
    process_group: [name, step.group.split(' ')[0]],
    collective_seq_id: step.turn,
    p2p_seq_id: step.pairTurn,
    profiling_name: `nccl:${step.operation}`,
    time_created_ns: 1_794_796_292_352_000_000,
    input_sizes: [[64, 8]],
    input_dtypes: ['BFloat16'],
    output_sizes: [[64, 8]],
    output_dtypes: ['BFloat16'],
    state,
    is_p2p: isMessage,
  };
  // A message is handed over in a batch: its own entry never ends.
  return isMessage
    ? [
        { ...entry, state: 'scheduled' },
        { ...entry, profiling_name: 'nccl:coalesced', input_sizes: [], output_sizes: [] },
      ]
    : [entry];
}

function programsOf({ tensor, data, pipeline }: Shape, steps: number) {
  const groups = new Map<string, number[]>();
  const rankAt = (t: number, d: number, p: number): number => (p * data + d) * tensor + t;
  const size = tensor * data * pipeline;
  groups.set(
    'default_pg',
    Array.from({ length: size }, (_, rank) => rank),
  );
  const programs: Step[][] = Array.from({ length: size }, () => []);
  for (let p = 0; p < pipeline; p++)
    for (let d = 0; d < data; d++)
      for (let t = 0; t < tensor; t++) {
        const add = (name: string, rank: number): string => {
          groups.set(name, [...(groups.get(name) ?? []), rank]);
          return name;
        };
        add(`TENSOR_MODEL_PARALLEL_GROUP ${p} ${d}`, rankAt(t, d, p));
        add(`DATA_PARALLEL_GROUP ${p} ${t}`, rankAt(t, d, p));
        add(`PIPELINE_MODEL_PARALLEL_GROUP ${d} ${t}`, rankAt(t, d, p));
      }
  for (let p = 0; p < pipeline; p++)
    for (let d = 0; d < data; d++)
      for (let t = 0; t < tensor; t++) {
        const turns = new Map<string, number>();
        const messages = new Map<string, number>();
        const line = `PIPELINE_MODEL_PARALLEL_GROUP ${d} ${t}`;
        const program = programs[rankAt(t, d, p)]!;
        const next = (name: string): number => {
          turns.set(name, (turns.get(name) ?? 0) + 1);
          return turns.get(name)!;
        };
        const collective = (group: string, operation: string, isRead = false): void => {
          const members = groups.get(group)!;
          if (members.length < 2) return;
          const turn = next(group);
          program.push({
            group,
            operation,
            meets: `${group} ${turn}`,
            ranks: members,
            turn,
            pairTurn: 0,
            isRead,
          });
        };
        const message = (from: number, to: number): void => {
          const way = `${from}>${to}`;
          messages.set(way, (messages.get(way) ?? 0) + 1);
          const pairTurn = [...messages.values()].reduce((sum, count) => sum + count, 0);
          program.push({
            group: line,
            operation: from === p ? `send ${from}->${to}` : `recv ${to}<-${from}`,
            meets: `${line} ${way} ${messages.get(way)}`,
            ranks: [rankAt(t, d, from), rankAt(t, d, to)],
            turn: next(line),
            pairTurn,
            isRead: false,
          });
        };
        const work = (): void => {
          for (let layer = 0; layer < 2; layer++)
            collective(`TENSOR_MODEL_PARALLEL_GROUP ${p} ${d}`, 'all_reduce');
        };
        for (let step = 0; step < steps; step++) {
          for (let batch = 0; batch < microbatches; batch++) {
            if (p > 0) message(p - 1, p);
            work();
            if (p < pipeline - 1) message(p, p + 1);
          }
          for (let batch = 0; batch < microbatches; batch++) {
            if (p < pipeline - 1) message(p + 1, p);
            work();
            if (p > 0) message(p, p - 1);
          }
          collective(`DATA_PARALLEL_GROUP ${p} ${t}`, '_reduce_scatter_base');
          collective('default_pg', 'all_reduce', true);
          collective(`DATA_PARALLEL_GROUP ${p} ${t}`, '_all_gather_base');
        }
      }
  return { groups, programs };
}
