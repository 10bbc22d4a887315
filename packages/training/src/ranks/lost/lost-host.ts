// The host that the others lost: whoever loses a connection names the other end of it. The ends that complain of somebody themselves are
// victims, unless everything that broke has one host at one of its ends.
import type { RunView } from '../../features/view.js';
import { namesHost } from '../../readers/collect/names.js';
import { isHost, isOfOthers } from '../../readers/collect/places.js';
import { hostsIn, ranksOn } from '../present/presence.js';
import { hostOf, suspectAmong } from './owner.js';

/** "Connection closed by remote peer gn07<50112>", "Connection reset by peer [10.4.0.7]:5045", "Got completion from peer 10.4.0.7<4112>". */
const otherEnd =
  /\b(?:peer|remote (?:host|node|process|address))\b[\s:=([]{1,3}((?=[\w.-]*[A-Za-z]|\d{1,3}(?:\.\d{1,3}){3})\w[\w.-]*)(?=[<\]:>)\s,]|$)/i;
/** What was there before broke. Whom a rank could not reach at the start may be sound. */
const broken = /\b(?:clos(?:ed|ing)|reset|lost|gone|exited|disconnect\w*|broken|(?:status=|error )[1-9])/i;
const words = /[A-Za-z][\w-]*(?:[.-][\w-]+)+|[A-Za-z][\w-]*\d|\d{1,3}(?:\.\d{1,3}){3}/g;

/** Of whom on that host. */
export function lostFirst(view: RunView): number | null {
  const host = lostHost(view);
  return host === null ? null : suspectAmong(view, [ranksOn(view.record, host)]);
}

function lostHost(view: RunView): string | null {
  const { record, lines, failures } = view;
  const hosts = hostsIn(record);
  const known = [...new Set(hosts.values())];
  if (known.length < 2) return null;
  const complaints = [...failures, ...lines, ...record.device].flatMap(({ rank, text, at }) => {
    const peer = text.length < 3000 && broken.test(text) ? otherEnd.exec(text)?.[1] : undefined;
    const own = (rank === null ? null : hosts.get(rank)) ?? hostOf(record, { text, at });
    return peer === undefined || own === null ? [] : [{ peer, own }];
  });
  if (new Set(complaints.map(({ own }) => own)).size < Math.min(2, known.length - 1)) return null;
  const others = otherNames(view, known);
  const lost = new Map<string, Set<string>>();
  for (const { peer, own } of complaints) {
    const host = known.find((name) => namesHost(peer, name)) ?? others.get(peer) ?? peer;
    if (host !== own && (known.includes(host) || isHost(host)))
      lost.set(host, (lost.get(host) ?? new Set()).add(own));
  }
  const complaining = new Set([...lost.values()].flatMap((by) => [...by]));
  // All others lost one and the same, which is this host or an address that nobody explains.
  const isEndOfAll = (host: string): boolean => {
    const [one, ...more] = [...lost].flatMap(([name, by]) => (by.size === 1 && by.has(host) ? [] : name));
    return one !== undefined && more.length === 0 && (one === host || !lost.get(one)!.has(host));
  };
  const silent = known.filter((host) => lost.has(host) && !complaining.has(host));
  const ends = known.filter((host) => complaining.has(host) && isEndOfAll(host));
  const [one, ...more] = silent.length > 0 ? silent : ends;
  return one !== undefined && more.length === 0 ? one : null;
}

/** Other names and addresses of hosts, as any line says that names both and tells of nobody else. */
function otherNames({ lines }: RunView, known: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, Set<string>>();
  for (const { text } of lines) {
    if (text.length > 200 || isOfOthers(text)) continue;
    const [host, ...more] = known.filter((name) => namesHost(text, name));
    if (host === undefined || more.length > 0) continue;
    for (const word of text.match(words) ?? [])
      if (isHost(word) && !namesHost(word, host)) found.set(word, (found.get(word) ?? new Set()).add(host));
  }
  return new Map([...found].flatMap(([name, of]) => (of.size === 1 ? [[name, [...of][0]!] as const] : [])));
}
