// With which settings each rank or host was started, as its own lines say. Ranks that were given different places to meet, or another
// number of ranks than were started, never find each other, however sound the network is.
import type { RunView } from '../../features/view.js';
import type { RunRecord, TextLine } from '../../record/run-record.js';
import { couldNotReach, counted } from '../lost/unreached.js';
import { hostsIn, presentIn, ranksUpTo } from '../present/presence.js';

export interface LaunchedApart {
  readonly fact: string;
  readonly line: TextLine;
}

const address = String.raw`\[?((?:::ffff:)?[\w.-]+|::1)\]?`;
/** "connect to (10.0.0.1, 29500)", "to host 10.0.0.1:29500", "remote=[::ffff:10.0.0.1]:29500", "tcp://10.0.0.1:29500", "MASTER node-a:29500". */
const place = new RegExp(
  String.raw`(?:\b(?:connect|listen\w*|bind|bound) (?:to|on|at) \(?(?:host )?|\bto host |\bremote=|\btcp://|\bMASTER[ =:]+)${address}(?::|, )(\d{2,5})\b`,
  'gi',
);

/** Each setting by its name: what must be the same for all who are to meet. */
const given: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['port', /\b(?:master|main[-_]process)[-_ ]port["']?[\s=:]{1,3}["']?(\d{2,5})\b/gi],
  ['address', /\b(?:master[-_ ]addr(?:ess)?|main[-_]process[-_]ip)["']?[\s=:]{1,3}["']?([\w.-]+)/gi],
  ['endpoint', /\b(?:rdzv[-_]endpoint|coordinator[-_]address)["']?[\s=:]{1,3}["']?([\w.-]+:\d{2,5})\b/gi],
  ['job id', /\brdzv[-_]id["']?[\s=:]{1,3}["']?([\w.-]+)/gi],
  ['backend', /\bbackend["']?[\s=:]{1,3}["']?(nccl|gloo|mpi|ucc|hccl|xccl)\b/gi],
  ['number of nodes', /\b(?:n_?nodes|num[-_](?:nodes|machines))["']?[\s=:]{1,3}["']?(\d{1,5})\b(?!:)/gi],
  ['number of ranks', /\b(?:world(?:[-_ ]?size)?|num[-_]processes)["']?[\s=:]{1,3}["']?(\d{1,5})\b/gi],
  ['number of ranks', /(?<!local[ _])\brank[\s=:]{0,2}\d{1,5} ?(?:\/|of) ?(\d{1,5})\b/gi],
];

const loopback = /^(?:localhost|127\..*|::1|0\.0\.0\.0)$/;

function normal(host: string): string {
  const name = host.replace(/^::ffff:/i, '').toLowerCase();
  return loopback.test(name) ? 'localhost' : /^[\d.]+$/.test(name) ? name : name.split('.')[0]!;
}

type Values = Map<string, Map<string, TextLine>>;

/** A rank, or a file whose lines name none. */
interface Speaker {
  readonly who: string;
  readonly isRank: boolean;
  readonly values: Values;
}

/** What each says of itself. */
function settingsIn({ text }: RunRecord): Speaker[] {
  const speakers = new Map<string, Speaker>();
  for (const line of text.lines) {
    if (line.text.length > 2000 || /^\s*(?:#(?!SBATCH)|frame #|File ")/.test(line.text)) continue;
    const isRank = line.rank !== null;
    const who = isRank ? `rank ${line.rank}` : `file ${line.at.file}`;
    const speaker = speakers.get(who) ?? { who, isRank, values: new Map() };
    speakers.set(who, speaker);
    const { values } = speaker;
    const put = (name: string, value: string): void => {
      const known = values.get(name) ?? new Map<string, TextLine>();
      values.set(name, known);
      if (!known.has(value)) known.set(value, line);
    };
    for (const [name, pattern] of given)
      for (const [, value] of line.text.matchAll(pattern))
        put(name, name === 'address' ? normal(value!) : value!.toLowerCase());
    for (const [, host, port] of line.text.matchAll(place)) {
      put('address', normal(host!));
      put('port', port!);
    }
  }
  return [...speakers.values()];
}

/** Null unless ranks that did not meet say settings of which they share none. */
export function launchedApart(view: RunView): LaunchedApart | null {
  const { record } = view;
  if (record.lastStep !== null) return null;
  const speakers = settingsIn(record);
  for (const name of new Set(given.map(([name]) => name)))
    for (const ofRanks of [true, false]) {
      const said = speakers.flatMap(({ who, isRank, values }) => {
        const here = isRank === ofRanks ? values.get(name) : undefined;
        return here ? [{ who, here }] : [];
      });
      const [first, ...others] = said;
      for (const other of others) {
        const [mine, theirs] = [[...first!.here.keys()], [...other.here.keys()]];
        if (mine.some((value) => theirs.includes(value))) continue;
        if (name === 'address' && !areOfOneKind(view, mine, theirs)) continue;
        const fact = `${first!.who} was started with ${name} ${mine.join(', ')}, ${other.who} with ${theirs.join(', ')}`;
        return { fact, line: other.here.get(theirs[0]!)! };
      }
    }
  return notAtItself(view) ?? noSuchInterface(view) ?? neverStarted(view, speakers);
}

/** The first rank holds the place where all meet: that it does not find this place itself says that the address is another host's. */
function notAtItself({ lines }: RunView): LaunchedApart | null {
  const line = lines.find(({ rank, text }) => rank === 0 && text.length < 2000 && away.test(text));
  return line
    ? { fact: `rank 0 does not find its own store: ${line.text.trim().slice(0, 200)}`, line }
    : null;
}

const away = /client socket has timed out after \d+ ?ms while trying to connect to/i;

/** Only of an interface that a setting names Gloo says this. */
const interfaceAway = /Unable to find (?:address|interface) for: ([\w.-]+)/;

export function noSuchInterface({ lines }: RunView): LaunchedApart | null {
  for (const line of lines) {
    const name = line.text.length < 2000 ? interfaceAway.exec(line.text)?.[1] : undefined;
    if (name !== undefined)
      return {
        fact: `${line.rank === null ? 'a host' : `rank ${line.rank}`} was told to use the interface ${name}, and has none of that name`,
        line,
      };
  }
  return null;
}

/** A name and an address may be those of one host; so is the host's own name for itself, unless nobody answers there. */
function areOfOneKind(view: RunView, mine: readonly string[], theirs: readonly string[]): boolean {
  const [one, other] = [kindOf(mine), kindOf(theirs)];
  if (one === other) return one !== null;
  return (
    [one, other].includes('own') &&
    view.lines.some(({ text }) => couldNotReach.test(text) && /localhost|127\.0|::1/.test(text))
  );
}

function kindOf(values: readonly string[]): 'own' | 'number' | 'name' | null {
  const kinds = new Set(
    values.map((value) => (value === 'localhost' ? 'own' : /^[\d.]+$/.test(value) ? 'number' : 'name')),
  );
  return kinds.size === 1 ? [...kinds][0]! : null;
}

/**
 * On one host, where no network lies between, as many came as left anything, and more are waited for: the others were never started.
 */
function neverStarted({ record, failures }: RunView, speakers: readonly Speaker[]): LaunchedApart | null {
  const present = presentIn(record);
  const hosts = hostsIn(record);
  const names = new Set(hosts.values()).size;
  const isOneHost =
    names > 0
      ? names === 1 && hosts.size === present.length
      : speakers.some(({ values }) => values.has('address')) &&
        speakers.every(({ values }) =>
          [...(values.get('address')?.keys() ?? [])].every((value) => value === 'localhost'),
        );
  if (!isOneHost || present.length < 2 || ranksUpTo(present.length).some((rank) => !present.includes(rank)))
    return null;
  for (const { message, at } of failures) {
    const [, came, all] = counted.exec(message) ?? [];
    const line = record.text.lines.find((entry) => entry.at.file === at.file && entry.at.line === at.line);
    if (Number(came) === present.length && Number(all) > present.length && line)
      return { fact: `${all} ranks are waited for, and ${came} were started on the only host`, line };
  }
  return null;
}
