// What launchers, schedulers and log collectors put before a line: taken off, and asked for the rank.

export interface BareLine {
  readonly text: string;
  readonly rank: number | null;
}

const escapes = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;
const controls = /[\u0000-\u0008\u000b-\u001f\u007f]/g;

export function stripEscapes(text: string): string {
  return text.replace(escapes, '').replace(controls, '');
}

/** In the order they are met, outermost first; each is tried once per round. */
const prefixes: readonly RegExp[] = [
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.\d]*(?:Z|[+-]\d\d:\d\d) (?:std(?:out|err) [FP] )?/,
  /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+ \[[^\]]*\(pid \d+\)\] ?/,
  /^\[(?:rank|default|local_rank|Rank)[ :]?(?<rank>\d{1,5})\]:? ?/,
  /^\[\d+,(?<rank>\d{1,5})\](?:<std(?:err|out)>)?: ?/,
  /^\((?:[\w.]+ )?pid=\d+(?:, ip=[\d.]+)?\) ?/,
  /^(?<rank>\d{1,4}): (?=Traceback|\s+File "|[\w.]+(?:Error|Exception)\b|\[rank)/,
  /^[\w.-]+-\d+ {1,8}\| /,
  /^\[(?:pod|container|worker)[\w/.-]*\] /,
];

export function stripPrefixes(text: string): BareLine {
  let rest = text;
  let rank: number | null = null;
  for (let round = 0; round < 3; round++) {
    const before = rest;
    for (const prefix of prefixes) {
      const match = prefix.exec(rest);
      if (match === null) continue;
      if (match.groups?.['rank'] !== undefined) rank = Number(match.groups['rank']);
      rest = rest.slice(match[0].length);
    }
    if (rest === before) break;
  }
  const tagged = rank === null ? /\[(?:RANK:|Rank )(\d{1,5})\]/.exec(rest.slice(0, 200)) : null;
  return { text: rest, rank: tagged ? Number(tagged[1]) : rank };
}

/** The rank before a metric line, straight from bytes; null unless the line begins with one of the usual marks. */
export function rankOfBytes(bytes: Buffer, start: number, end: number): number | null {
  let at = start;
  while (at < end && bytes[at] === 0x20) at++;
  if (bytes[at] !== 0x5b) return null;
  const next = bytes[at + 1]!;
  const mayBeRank = next === 0x72 || next === 0x64 || next === 0x52 || next === 0x6c;
  const mayBePair = next >= 0x30 && next <= 0x39 && bytes[at + 2] === 0x2c;
  if (!mayBeRank && !mayBePair) return null;
  return stripPrefixes(bytes.toString('latin1', at, Math.min(end, at + 32))).rank;
}
