// What a line says behind what its logger writes before: a moment, a level, the place in the program.
export function sentenceOf(text: string): string {
  return text
    .replace(/^.*?\b(?:INFO|WARNING|DEBUG)\b[^A-Za-z{]*/, '')
    .replace(/^\W*(?:\d{4}-\d\d-\d\d[ T])?\d\d:\d\d:\d\d\S*\s*/, '')
    .replace(/^[\w.]+:[\w.<>]+:\d+ - /, '');
}
