// The things an explanation is about: names, attributes, columns, calls, shapes and numbers. Those of the expert
// diagnosis are looked up in the explanation under judgement.

const common = new Set(
  'the and for with from that this not are was were which when where while because before after into than then them they its it is in of to on or an a as be by if so at all any can cannot does did done has have had will would should could error crash crashes happens happen occurs cell code line value values type data model function call called calling argument arguments object attribute name names shape size index list array dataframe column columns input output expected got found given defined first second also specifically during none true false int float str example case instead class'.split(
    ' ',
  ),
);

/** Identifiers, dotted names, quoted texts and numbers of a text about code, and every word that the code itself uses. */
export function subjectsIn(text: string, code: string): Set<string> {
  const found = new Set<string>();
  const own = new Set(code.match(/[A-Za-z_]\w*/g) ?? []);
  for (const [, quoted] of text.matchAll(/(?<!\w)['"`]([^'"`\n]{1,60})['"`](?!\w)/g)) add(found, quoted!);
  for (const [, , literal] of code.matchAll(/(['"])((?:(?!\1)[^\\\n]){2,60})\1/g))
    if (text.includes(literal!)) add(found, literal!);
  for (const [word] of text.matchAll(/[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*/g)) {
    if (own.has(word) || looksLikeCode(word)) for (const part of [word, ...word.split('.')]) add(found, part);
  }
  for (const [, callee] of text.matchAll(/([A-Za-z_][\w.]*)\(/g)) add(found, callee!.split('.').at(-1)!);
  for (const [number] of text.matchAll(/(?<![\w.])\d+(?:\.\d+)?(?![\w.])/g))
    if (Number(number) > 2) found.add(number);
  return found;
}

function looksLikeCode(word: string): boolean {
  return /[_.\d]/.test(word) || /[a-z][A-Z]/.test(word) || /^[A-Z][A-Z]+/.test(word);
}

function add(found: Set<string>, subject: string): void {
  const plain = subject.trim().replace(/^[([{]+|[)\]},;:]+$/g, '');
  if (plain.length > 0 && !common.has(plain.toLowerCase()) && !/^\w*(?:Error|Exception)$/.test(plain))
    found.add(plain);
}

/** True when the subject stands in the text as a word of its own. */
export function mentions(text: string, subject: string): boolean {
  const at = text.toLowerCase().indexOf(subject.toLowerCase());
  if (at < 0) return false;
  const pattern = new RegExp(`(?<![A-Za-z0-9_])${escapePattern(subject)}(?![A-Za-z0-9_])`, 'i');
  return pattern.test(text);
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

const stopWords = new Set(
  [
    ...common,
    ...'crash error fail raise cause lead due expect require need pass use make contain create provide return attempt try access result execute run cell target previous current variable code line notebook python pandas numpy library method parameter thus however therefore since only both each other same such more most less must may might being been about already there their these those you your what how out but also via between without mismatch match layer tensor train test dataframe number set image label batch torch tensorflow keras sklearn'.split(
      ' ',
    ),
  ].map(stem),
);

/** Plain words that carry meaning, reduced to their stems: what a text talks about besides the names of the code. */
export function themesIn(text: string): Set<string> {
  const plain = text.replace(/\w*[_.()\d]\w+|\w+[A-Z]\w*/g, ' ');
  const words = plain.toLowerCase().match(/[a-z]{3,}/g) ?? [];
  return new Set(words.map(stem).filter((word) => word.length > 2 && !stopWords.has(word)));
}

function stem(word: string): string {
  return word.length <= 4
    ? word
    : word.replace(/(?:ations?|ings?|edly|ed|es|s|ly)$/, '').replace(/(.)\1$/, '$1');
}
