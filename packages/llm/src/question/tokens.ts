// How many tokens a text takes, roughly: tokenizers differ, so the estimate is on the high side for code and English.

/** About three and a half bytes a token. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 3.5);
}
