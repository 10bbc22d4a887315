// Which ranks run on which host, as any line or tree of settings says that names both: "rank 3 on gn07", "gn07: ranks 8-15",
// `{"gn07": [8, 9]}`, `{"rank": 3, "host": "gn07"}`.

export interface Place {
  readonly ranks: readonly number[];
  readonly host: string;
}

const mostRanks = 4096;
const name = String.raw`[A-Za-z][\w-]*(?:\.[\w-]+)*|\d{1,3}(?:\.\d{1,3}){3}`;
const list = String.raw`\d{1,5}(?:\s*(?:-|–|\.{2,3}|\bto\b|,)\s*\d{1,5})*`;

const one = /(?<!local[ _-]?)\b(?:global[ _-]?|world[ _-]?)?rank["']?\s*[:=#]?\s*(\d{1,5})\b(?!\.\d)/i;
const several = new RegExp(
  String.raw`(?<!local[ _-]?)\b(?:ranks|tasks)["']?\s*[:=]?\s*[[(]?\s*(${list})`,
  'i',
);
const behind = new RegExp(
  String.raw`(?:\b(?:on|host(?:name)?|node(?:name)?|machine)\b["']?\s*[:=]?\s*|@\s?|[-=]>\s*)["']?(${name})(?![\w:/.-]*[/:]\d)`,
  'gi',
);
const before = new RegExp(
  String.raw`^\W{0,3}(${name})["']?\s*(?:[:|=]|->|\b(?:hosts?|runs?|has|holds)\b)`,
  'i',
);
const wholeName = new RegExp(String.raw`(?<![\w./:-])(?:${name})(?![\w/:-])`, 'g');
/** Said of the speaker itself. */
const own = new RegExp(
  String.raw`\b(?:host(?:name)?|nodename|machine|(?:running|started|up|launched) on(?: host| node)?)["']?\s*[:=]?\s*["']?(${name})(?![\w:/.-]*[/:]\d)`,
  'i',
);

/** Lines about a host that somebody is to reach, and not about where the speaker is. */
const ofAnother =
  /master|store|rendezvous|rdzv|connect|endpoint|leader|coordinat|peer|remote|\bfrom\b|waiting|lost|lora|adapter|matrix|download|https?:|\bfail|error|timed? ?out/i;
/** Names that stand where a host may, and are none. */
const isNone =
  /^(?:(?:gpu|cuda|cpu|device|rank|step|epoch|iter|proc|pid|task|local|stage|layer|mlx|ib|eth|nvme|dp|tp|pp)[-_:]?\d*|[ABHLTV]\d{2,3}\w{0,2}|localhost|nccl\w*|gloo|torch\w*|python\w*|(?:127|0)\..*)$/i;

export function isOfOthers(text: string): boolean {
  return ofAnother.test(text);
}

export function isHost(word: string | undefined): word is string {
  return word !== undefined && /[\d.-]/.test(word) && !isNone.test(word);
}

/** Where a process says that it runs itself. */
export function ownHostIn(text: string): string | null {
  const host = own.exec(text)?.[1];
  return isHost(host) ? host : null;
}

/** `speaker`: the rank that the line is marked with. Null unless the line names ranks and one host of theirs. */
export function placeIn(text: string, speaker: number | null): Place | null {
  if (text.length > 300 || ofAnother.test(text)) return null;
  const told = several.exec(text)?.[1] ?? one.exec(text)?.[1];
  if (told === undefined) {
    const host = speaker === null ? null : ownHostIn(text);
    return host === null ? null : { ranks: [speaker!], host };
  }
  const ranks = ranksIn(told);
  const words = text.match(wholeName) ?? [];
  const [first] = [
    before.exec(text)?.[1],
    ...[...text.matchAll(behind)].map(([, word]) => word),
    // A row of a table: one name, and its ranks.
    ...(ranks.length > 1 && words.length <= 6 ? words.filter((word) => /\d/.test(word)) : []),
  ].filter(isHost);
  return first === undefined || ranks.length === 0 ? null : { ranks, host: first };
}

/** "8-15", "8, 9, 10", "8..15". */
export function ranksIn(text: string): number[] {
  const ranks: number[] = [];
  for (const part of text.split(',')) {
    const [from, to = from] = (part.match(/\d+/g) ?? []).map(Number);
    if (from === undefined || to! < from || to! - from > mostRanks) return [];
    for (let rank = from; rank <= to!; rank++) ranks.push(rank);
  }
  return ranks;
}

const deepest = 4;

/** Every place that a tree of settings names. */
export function placesIn(value: unknown, depth = 0): Place[] {
  if (value === null || typeof value !== 'object' || depth > deepest) return [];
  if (Array.isArray(value)) return value.slice(0, mostRanks).flatMap((item) => placesIn(item, depth + 1));
  const entries = Object.entries(value);
  const field = (names: RegExp): unknown => entries.find(([key]) => names.test(key))?.[1];
  const host = field(/^(?:host(?:name)?|node(?:_?name)?|machine)$/i);
  const rank = field(/^(?:global_?|world_?)?ranks?$/i);
  if (typeof host === 'string' && isHost(host)) {
    const ranks = ranksOf(rank);
    if (ranks.length > 0) return [{ ranks, host }];
  }
  return entries.flatMap(([key, item]) => {
    if (/^\d{1,5}$/.test(key) && typeof item === 'string' && isHost(item))
      return [{ ranks: [Number(key)], host: item }];
    const ranks = isHost(key) ? ranksOf(isTree(item) ? item['ranks'] : item) : [];
    return ranks.length > 0 ? [{ ranks, host: key }] : placesIn(item, depth + 1);
  });
}

function isTree(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function ranksOf(value: unknown): number[] {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return [value];
  if (typeof value === 'string' && /^\s*\d[\d\s,.–-]*$/.test(value)) return ranksIn(value);
  if (!Array.isArray(value)) return [];
  return value.every((item) => Number.isInteger(item) && item >= 0)
    ? (value as number[]).slice(0, mostRanks)
    : [];
}
