// Removes what looks like a secret from text: keys, tokens, passwords, e-mail addresses, long random strings.
// Used on everything that may leave the machine, whatever the redaction level.

const removed = '[removed]';

interface SecretPattern {
  readonly pattern: RegExp;
  /** Keeps the part of the match that is no secret, such as the name of a setting. */
  readonly keep?: (...groups: string[]) => string;
}

const patterns: readonly SecretPattern[] = [
  { pattern: /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g },
  { pattern: /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g },
  { pattern: /\b(?:sk|pk|rk)[-_](?:live|test|proj|ant|or)?[-_]?[A-Za-z0-9_-]{16,}/g },
  {
    pattern:
      /\b(?:ghp|gho|ghu|ghs|ghr|github_pat|glpat|hf|xox[abprs]|AIza|ya29|npm|pypi)[-_][A-Za-z0-9_.-]{12,}/g,
  },
  { pattern: /\bAIza[A-Za-z0-9_-]{20,}/g },
  { pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g },
  { pattern: /(\b[a-z][a-z0-9+.-]*:\/\/[^\s:/@]+:)[^\s@/]+(?=@)/gi, keep: (head) => head },
  { pattern: /(\bBearer\s+)[A-Za-z0-9._~+/-]{8,}=*/g, keep: (head) => head },
  {
    pattern:
      /(\b[\w.-]*(?:password|passwd|pwd|secret|token|api[_-]?key|apikey|access[_-]?key|private[_-]?key|credential)[\w.-]*["']?\s*[:=]\s*)(["'])([^"'\n]{3,})\2/gi,
    keep: (head, quote) => `${head}${quote}${removed}${quote}`,
  },
  { pattern: /\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+\b/g },
];

/** The text with every secret replaced by `[removed]`. */
export function removeSecrets(text: string): string {
  let clean = text;
  for (const { pattern, keep } of patterns) {
    clean = clean.replace(pattern, (_match, ...groups) => {
      if (!keep) return removed;
      const kept = keep(...groups.map((group) => (typeof group === 'string' ? group : '')));
      return kept.includes(removed) ? kept : `${kept}${removed}`;
    });
  }
  return clean.replace(/[A-Za-z0-9+/_-]{24,}={0,2}/g, (word) => (looksRandom(word) ? removed : word));
}

/** Long words with mixed characters and high entropy per character: hashes, keys, encoded bytes. */
function looksRandom(word: string): boolean {
  if (!/[0-9]/.test(word) || !/[A-Za-z]/.test(word)) return false;
  // Identifiers keep their digits together at the ends of words; in random text they are scattered among letters.
  const switches = word.match(/[A-Za-z](?=[0-9])|[0-9](?=[A-Za-z])/g)?.length ?? 0;
  if (switches < word.length / 6) return false;
  return entropy(word) > (/^[0-9a-f]+$/i.test(word) ? 3 : 3.7);
}

function entropy(word: string): number {
  const counts = new Map<string, number>();
  for (const character of word) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / word.length) * Math.log2(count / word.length);
  return bits;
}
