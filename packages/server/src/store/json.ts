// Values on their way into a jsonb column. Postgres keeps neither the character zero nor half a character.

export function jsonOf(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /(\\\\)|\\u(?:0000|d[89a-f][0-9a-f]{2})/g,
    (_, backslash: string | undefined) => backslash ?? '\ufffd',
  );
}
