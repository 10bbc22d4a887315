// The start of a job: ranks meet in a store that one of them holds. Who could not reach it comes before those who reached it and waited.
import type { RunView } from '../../features/view.js';
import { ascending, hostsIn, ranksOn, ranksUpTo, sizeOf } from '../present/presence.js';
import { isConsequence } from './consequence.js';
import { isOfHost } from './owner.js';

export const couldNotReach =
  /(?:while trying to connect to|failed to connect\b[^\n]{0,40}? to (?:host|any network address)|Unable to find (?:address|interface) for\b|no (?:\w+ )?interface found|name resolution|Name or service not known|could not resolve host|getaddrinfo failed|nodename nor servname)/i;
const waited = /wait timeout after \d+ ?ms, keys|waiting for clients|clients joined/i;

export const counted = /\b(\d+)\/(\d+) clients joined/;

/** Null unless one rank did not reach the store and another did. */
export function unreachedAtStart({ record, failures, lines }: RunView): number | null {
  if (record.lastStep !== null) return null;
  const firsts = new Map(record.text.files.map(({ file }) => [file, firstOfFile(record, file)]));
  const told = [...failures, ...lines.filter(({ text }) => text.length < 2000)].map(({ rank, text, at }) => ({
    rank: rank ?? firsts.get(at.file) ?? null,
    text,
  }));
  const outside = new Set(told.filter(({ text }) => couldNotReach.test(text)).map(({ rank }) => rank));
  const inside = told.some(({ rank, text }) => waited.test(text) && (rank === null || !outside.has(rank)));
  const ranks = [...outside].filter((rank) => rank !== null).sort(ascending);
  // Several of one host have one reason.
  const hosts = new Set(ranks.map((rank) => hostOfRank(record, rank)));
  const others = new Set(
    told.flatMap(({ rank }) => (rank === null || outside.has(rank) ? [] : [hostOfRank(record, rank)])),
  );
  const isOneHost = hosts.size === 1 && ![...hosts].some((host) => host === null || others.has(host));
  return inside && (ranks.length === 1 || isOneHost) ? (ranks[0] ?? null) : null;
}

/** What names no rank is said by the launcher of a host, for all that it would have started. */
function firstOfFile({ seats }: RunView['record'], file: string): number | null {
  const here = seats.flatMap(({ rank, host }) => (isOfHost(file, host) ? rank : []));
  return here.length > 0 ? Math.min(...here) : null;
}

/** As its seat says, else the folder that its log lies in. */
function hostOfRank({ seats, text }: RunView['record'], rank: number): string | null {
  const seat = seats.find((entry) => entry.rank === rank)?.host;
  const file = text.lines.find((line) => line.rank === rank)?.at.file ?? '';
  return seat ?? (file.includes('/') ? file.slice(0, file.lastIndexOf('/')) : null);
}

/** Ranks announce themselves in the store under their number: the key that all wait for names the one that did not come. */
export function awaitedAtStart({ record, failures }: RunView): number | null {
  if (record.lastStep !== null) return null;
  const keys = new Set<number>();
  for (const { message } of failures) {
    const key = /wait timeout after \d+ ?ms, keys: \S*\/(\d+)\b/.exec(message)?.[1];
    if (key !== undefined) keys.add(Number(key));
  }
  const absent = countedOut(failures) ?? absentHost(record, failures);
  if (absent !== null) return absent;
  const [one, ...more] = keys;
  // A rank that waits in the store is there; that its own key is missing has the same cause. The first holds the store and waits in it for
  // all: its key is missing whoever does not come, unless all others wait for it.
  const waiting = failures.filter(({ text }) => waited.test(text));
  const isHolder =
    one === 0 &&
    (waiting.some(({ message }) => counted.test(message)) ||
      record.hardware.worldSize === null ||
      sumOf(waiting) < record.hardware.worldSize - 1);
  const isThere =
    isHolder ||
    waiting.some(({ rank }) => rank === one) ||
    waiting.length >= Math.max(sizeOf(record), (one ?? 0) + 1);
  if (one === undefined || more.length > 0 || isThere) return null;
  return onlyWaiter(failures) ?? one;
}

function sumOf(waiting: RunView['failures']): number {
  return waiting.reduce((sum, { count }) => sum + count, 0);
}

/** All that are there wait for others to come, and those of one host are not there: the first of them. */
function absentHost(record: RunView['record'], failures: RunView['failures']): number | null {
  const hosts = hostsIn(record);
  const each = hosts.size / new Set(hosts.values()).size;
  const away = ranksUpTo(sizeOf(record)).filter((rank) => !hosts.has(rank));
  const isOne = away.length === each && away.at(-1)! - away[0]! === each - 1;
  const haveWaited = failures.length > 0 && failures.every((failure) => isConsequence(failure));
  return isOne && haveWaited && failures.some(({ type }) => /^Rendezvous/.test(type)) ? away[0]! : null;
}

/** "3/4 clients joined", and three ranks complain: the fourth is the one that did not come. */
function countedOut(failures: RunView['failures']): number | null {
  for (const { message } of failures) {
    const [, joined, all] = counted.exec(message) ?? [];
    if (joined === undefined || Number(joined) !== Number(all) - 1) continue;
    const there = new Set(failures.map(({ rank }) => rank));
    const absent = ranksUpTo(Number(all)).filter((rank) => !there.has(rank));
    if (absent.length === 1) return absent[0]!;
  }
  return null;
}

/** The one that waits for a rank while all others found each other and wait elsewhere: it counts ranks that are not there. */
function onlyWaiter(failures: RunView['failures']): number | null {
  const inStore = new Set(failures.filter(({ text }) => waited.test(text)).map(({ rank }) => rank));
  const [one, ...more] = inStore;
  const elsewhere = failures.some(({ rank, text }) => !inStore.has(rank) && !waited.test(text));
  return one !== undefined && one !== null && more.length === 0 && elsewhere ? one : null;
}

const announced = /(?:^|\s)([\w.-]+):\d+:\d+ .*\bUsing (?:\[\d+\])?[\w.]+:([\d.]{7,15})</;
const refused = /\bconnect(?:ion)? to ([\d.]{7,15})\S* (?:failed|refused|timed out|aborted)/i;

/** The host that announced an address which another could not connect to; the first of its ranks. */
export function unreachable({ record, lines, failures }: RunView): number | null {
  if (record.lastStep !== null) return null;
  const owners = new Map<string, string>();
  const wanted = new Set<string>();
  for (const { text } of [...lines, ...failures]) {
    if (text.length > 4000) continue;
    const [, host, address] = announced.exec(text) ?? [];
    if (address !== undefined) owners.set(address, host!);
    const target = refused.exec(text)?.[1];
    if (target !== undefined) wanted.add(target);
  }
  const hosts = new Set([...wanted].map((address) => owners.get(address) ?? null));
  const [host, ...more] = hosts;
  const ranks = host == null ? [] : ranksOn(record, host);
  return more.length === 0 && ranks.length > 0 ? Math.min(...ranks) : null;
}
