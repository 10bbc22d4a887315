// Words as people look for them. PostgreSQL takes a path for one word: here each part of it is one, in what is searched and in what is asked.

/** A SQL expression for the text of another, with the parts of paths apart. */
export function apart(text: string): string {
  return `translate(${text}, '/\\:', '   ')`;
}
