// A slow link told from a slow rank. The last rank to call a collective waits for nobody: the shortest duration among the ranks is the time
// of the transfer. With a slow rank it stays short; with a slow link it is long for all, in one group or from some turn on. The same holds
// for the phase of a step in which ranks communicate: behind a slow rank, that rank's own is short.
import { median } from '../../features/robust.js';
import type { RunView } from '../../features/view.js';
import { figure } from '../../record/figures.js';
import { communicates, isWhole, secondsIn } from '../../record/phase-names.js';
import type { RunRecord, TextLine, Where } from '../../record/run-record.js';
import { oddOne } from '../differing/odd-one.js';
import type { RankDump } from '../dumps/dump.js';
import { hostOf } from '../lost/owner.js';
import { ascending, hostsIn, ranksUpTo, sizeOf } from '../present/presence.js';
import { rankWord } from '../present/rank-words.js';
import { phasesOf } from './trade.js';

export interface SlowLink {
  readonly fact: string;
  readonly at: Where;
  readonly step: number | null;
  /** Whose link it is, as far as that is known; empty when all are slow alike. */
  readonly ranks: readonly number[];
}

const fewestTurns = 8;
const clearly = 2.5;

export function slowLinkIn(view: RunView): SlowLink | null {
  const { record } = view;
  return (
    slowTransfers(record.dumps) ??
    slowSender(record) ??
    withHost(view, slowPhase(record)) ??
    otherNetwork(view) ??
    otherRate(view) ??
    slowestToSend(view)
  );
}

/** The transfers of one operation and size in one group, in order of their turns. */
interface Transfers {
  readonly group: string;
  readonly description: string;
  readonly ranks: readonly number[];
  readonly what: string;
  readonly times: readonly number[];
  readonly file: string;
}

function slowTransfers(dumps: readonly RankDump[]): SlowLink | null {
  const all = transfersOf(dumps);
  for (const one of all) {
    const level = median([...one.times]);
    const alike = all.filter((other) => other.what === one.what && other.description === one.description);
    const others = alike.filter((other) => other !== one).map(({ times }) => median([...times]));
    if (others.length >= 2 && level >= clearly * Math.max(...others))
      return {
        fact: `${one.what} takes ${figure(level)} ms in group ${one.group} of ${rankWord(one.ranks)} even for the last to call it; in the other groups ${figure(median(others))} ms`,
        at: { file: one.file },
        step: null,
        ranks: one.ranks,
      };
    const third = Math.floor(one.times.length / 3);
    if (third < fewestTurns) continue;
    const [early, late] = [median(one.times.slice(0, third)), median(one.times.slice(-third))];
    if (late >= clearly * early)
      return {
        fact: `${one.what} of ${rankWord(one.ranks)} took ${figure(early)} ms at first and takes ${figure(late)} ms, even for the last to call it`,
        at: { file: one.file },
        step: null,
        ranks: [],
      };
  }
  return null;
}

function transfersOf(dumps: readonly RankDump[]): Transfers[] {
  interface Kind {
    readonly dump: RankDump;
    readonly group: string;
    readonly what: string;
    readonly turns: Map<number, { shortest: number; ranks: number }>;
    readonly ranks: Set<number>;
  }
  const kinds = new Map<string, Kind>();
  for (const dump of dumps)
    for (const { group, pair, sequence, operation, sizes, duration } of dump.calls) {
      if (pair || duration === null) continue;
      const key = `${group} ${operation} ${sizes}`;
      const kind = kinds.get(key) ?? {
        dump,
        group,
        what: `${operation} of ${sizes.split('>')[0]}`,
        turns: new Map(),
        ranks: new Set(),
      };
      kinds.set(key, kind);
      kind.ranks.add(dump.rank);
      const turn = kind.turns.get(sequence);
      if (turn === undefined) kind.turns.set(sequence, { shortest: duration, ranks: 1 });
      else {
        turn.shortest = Math.min(turn.shortest, duration);
        turn.ranks++;
      }
    }
  return [...kinds.values()].flatMap(({ dump, group, what, turns, ranks }) => {
    const whole = [...turns].filter(([, turn]) => turn.ranks === ranks.size && ranks.size > 1);
    if (whole.length < fewestTurns) return [];
    const times = whole.sort(([a], [b]) => a - b).map(([, { shortest }]) => shortest);
    const description = dump.groups.find(({ name }) => name === group)?.description ?? '';
    return [{ group, description, ranks: [...ranks].sort(ascending), what, times, file: dump.file }];
  });
}

/**
 * In a ring each rank sends to the next. Before a slow link all are held up in sending, behind it all wait to receive: it lies where the
 * ones end and the others begin.
 */
function slowSender(record: RunRecord): SlowLink | null {
  const phases = [...phasesOf(record)];
  const sending = phases.find(([name]) => /(?:^|[\W_])send/i.test(name))?.[1];
  const receiving = phases.find(([name]) => /(?:^|[\W_])recv|receiv/i.test(name))?.[1];
  const size = sizeOf(record);
  if (sending?.size !== size || receiving?.size !== size || size < fewestInRing) return null;
  const isHeld = (rank: number): boolean => sending.get(rank)!.level >= clearly * receiving.get(rank)!.level;
  const isWaiting = (rank: number): boolean =>
    receiving.get(rank)!.level >= clearly * sending.get(rank)!.level;
  const ranks = ranksUpTo(size);
  const [last, ...more] = ranks.filter((rank) => isHeld(rank) && isWaiting((rank + 1) % size));
  const [held, waiting] = [ranks.filter(isHeld).length, ranks.filter(isWaiting).length];
  if (last === undefined || more.length > 0 || held + waiting < size || Math.min(held, waiting) < 2)
    return null;
  const { series, level } = sending.get(last)!;
  return {
    fact: `rank ${last} sends for ${figure(level)} s a step while rank ${(last + 1) % size} waits to receive for ${figure(receiving.get((last + 1) % size)!.level)} s`,
    at: series.where(0),
    step: series.steps[0]!,
    ranks: [last],
  };
}

const fewestInRing = 4;

/** The phase of communication grew on every rank, and no other phase did. */
function slowPhase(record: RunRecord): SlowLink | null {
  const phases = phasesOf(record);
  for (const [name, times] of phases) {
    if (!communicates(name)) continue;
    const grown = [...times.values()].map(({ series }) => growthOf(series.values, secondsIn(series)));
    const step = [...phases.values()].reduce(
      (sum, phase) => sum + median([...phase.values()].map(({ level }) => level)),
      0,
    );
    const isGrown = grown.every(({ early, late }) => late >= clearly * early && late - early > step / 10);
    const others = [...phases].filter(
      ([other, phase]) =>
        other !== name &&
        !communicates(other) &&
        ![...phase.values()].some(({ series }) => isWhole(series.rawName)),
    );
    const isAlone = others.every(([, phase]) =>
      [...phase.values()].every(({ series }) => {
        const { early, late } = growthOf(series.values, secondsIn(series));
        return late - early < step / 20;
      }),
    );
    if (!isGrown || !isAlone || others.length === 0) continue;
    const [first] = times.values();
    const { series } = first!;
    const at = series.values.findIndex((value) => value * secondsIn(series) > 2 * grown[0]!.early);
    return {
      fact: `${name} took ${figure(median(grown.map(({ early }) => early)))} s a step at first and takes ${figure(median(grown.map(({ late }) => late)))} s, on every rank; no other part of a step grew`,
      at: series.where(Math.max(0, at)),
      step: series.steps[Math.max(0, at)]!,
      ranks: [],
    };
  }
  return null;
}

function growthOf(
  values: ArrayLike<number>,
  scale: number,
): { readonly early: number; readonly late: number } {
  const all = Array.from(values, (value) => value * scale);
  const third = Math.max(fewestTurns, Math.floor(all.length / 3));
  if (all.length < 2 * third) return { early: 1, late: 0 };
  // The first steps warm up.
  return { early: median(all.slice(2, third)), late: median(all.slice(-third)) };
}

/** A host that fell back to sockets, or whose adapter is slower, while the others use a faster network. */
function otherNetwork({ lines, record }: RunView): SlowLink | null {
  const used = new Map<string, { readonly line: (typeof lines)[number]; readonly network: string }>();
  for (const line of lines) {
    const found = /\b([\w.-]+):\d+:\d+ (?:\[\d+\] )?(?:\S+:\d+ )?NCCL INFO Using network (\w+)/.exec(
      line.text,
    );
    if (found) used.set(found[1]!, { line, network: found[2]! });
  }
  const slow = [...used].filter(([, { network }]) => /^socket$/i.test(network));
  if (slow.length === 0 || slow.length * 2 >= used.size) return null;
  const hosts = slow.map(([host]) => host);
  const other = [...used.values()].find(({ network }) => !/^socket$/i.test(network))!;
  return {
    fact: `${hosts.slice(0, 4).join(', ')} fell back to sockets, the others use ${other.network}`,
    at: slow[0]![1].line.at,
    step: null,
    ranks: record.seats.flatMap(({ rank, host }) => (host !== null && hosts.includes(host) ? rank : [])),
  };
}

/** A link that is slow for all has its end where the report of one host has a lower speed than those of all others. */
function withHost(view: RunView, link: SlowLink | null): SlowLink | null {
  if (link === null) return null;
  const { record, lines } = view;
  const hosts = hostsIn(record);
  const told = lines.flatMap((line) => {
    if (line.rank !== null) return [line];
    const host = hostOf(record, line);
    return [...hosts].flatMap(([rank, on]) => (on === host ? { ...line, rank } : []));
  });
  const ranks = otherNetwork(view)?.ranks ?? otherRate({ ...view, lines: told })?.ranks ?? [];
  return { ...link, ranks };
}

const ofAdapter =
  /\b(?:net(?:work)?|ib|infiniband|roce|rdma|nic|hca|link|port|mlx\d\w*|eth\d\w*|bond\d|pcie)\b/i;
const rate = /(?<![\w.])(\d+(?:\.\d+)?)(?=\s?(?:[GM]bp?s|[GM]b\/s|[GM]B\/s|[GM]bit\/s|GT\/s)\b)/i;

/** What every rank says of the speed of its adapter, and one rank or the ranks of one host with a lower number. */
function otherRate({ lines, record, ending }: RunView): SlowLink | null {
  if (ending.kind === 'completed') return null;
  const told = new Map<string, Map<number, { readonly speed: number; readonly line: TextLine }>>();
  for (const line of lines) {
    const found = line.rank === null || line.text.length > 300 ? null : rate.exec(line.text);
    if (found === null || !ofAdapter.test(line.text)) continue;
    const name = line.text.replace(/\d+(?:\.\d+)?/g, '#');
    const speeds = told.get(name) ?? new Map<number, { readonly speed: number; readonly line: TextLine }>();
    told.set(name, speeds);
    if (!speeds.has(line.rank!)) speeds.set(line.rank!, { speed: Number(found[1]), line });
  }
  for (const speeds of told.values()) {
    const odd = oddOne(new Map([...speeds].map(([rank, { speed }]) => [rank, speed])), hostsIn(record));
    if (odd === null || 1.5 * odd.word > odd.others) continue;
    const { line } = speeds.get(odd.rank)!;
    return { fact: line.text.trim(), at: line.at, step: null, ranks: [odd.rank] };
  }
  return null;
}

const sends = /\b(?:send\w*|sent|p2p|transfer\w*|all_?(?:reduce|gather)|ring)\b/i;
const farBelow = 10;

/** What every rank says in each step of the speed at which it sends: one is at its best far below the worst of all others. */
function slowestToSend({ lines, record, ending }: RunView): SlowLink | null {
  if (ending.kind === 'completed') return null;
  const told = new Map<string, Map<number, { readonly speeds: number[]; readonly line: TextLine }>>();
  for (const line of lines) {
    const found = line.rank === null || line.text.length > 300 ? null : rate.exec(line.text);
    if (found === null || !sends.test(line.text)) continue;
    const name = line.text.replace(/\d+(?:\.\d+)?/g, '#');
    const ranks = told.get(name) ?? new Map<number, { readonly speeds: number[]; readonly line: TextLine }>();
    told.set(name, ranks);
    const own = ranks.get(line.rank!) ?? { speeds: [], line };
    ranks.set(line.rank!, own);
    own.speeds.push(Number(found[1]));
  }
  for (const ranks of told.values()) {
    const isWhole = ranks.size === sizeOf(record) && ranks.size > 2;
    if (!isWhole || [...ranks.values()].some(({ speeds }) => speeds.length < fewestTurns)) continue;
    const [slowest, ...others] = [...ranks]
      .map(([rank, { speeds, line }]) => ({
        rank,
        line,
        best: Math.max(...speeds),
        worst: Math.min(...speeds),
      }))
      .sort((a, b) => a.best - b.best);
    const least = Math.min(...others.map(({ worst }) => worst));
    if (farBelow * slowest!.best > least) continue;
    const { rank, line } = slowest!;
    return { fact: line.text.trim(), at: line.at, step: line.step, ranks: [rank] };
  }
  return null;
}
