// The words of a message that stay the same from run to run: no numbers, paths, quoted values or placeholders.

export const wordPattern = /[a-z_]{2,}[a-z0-9_]*/g;

/** What follows the first sentence is mostly advice. */
export function firstSentence(text: string): string {
  return text.split(/(?<=[\w)\]'"`])[.!?;]\s+(?=[A-Z`])/, 1)[0]!;
}

export function wordsOf(text: string): string[] {
  return text.toLowerCase().replaceAll('{}', ' ').match(wordPattern) ?? [];
}
