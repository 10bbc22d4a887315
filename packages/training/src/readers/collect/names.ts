// What the names of files say of hosts, and of what is counted.

export function baseOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Of names that count hosts, by numbers or by a last letter. A master is counted before the workers. */
export function familyOf(name: string): string {
  return name
    .replace(/\d+/g, '#')
    .replace(/(?<=[-_])(?:[a-z]$|(?:master|worker)(?=-))|(?<=[a-z])[A-H]$/g, '#');
}

/** By the last number of a path. Files of one family differ in it alone; `front` is what stands before it. */
export function numberOf(
  file: string,
): { readonly family: string; readonly front: string; readonly number: number } | null {
  const [, front, digits, back] = /^(.*?)(\d{1,6})(\D*)$/.exec(file) ?? [];
  return front === undefined ? null : { family: `${front}#${back}`, front, number: Number(digits) };
}

/** Whether a host's name stands in the name of a file, as a word. */
export function isNamedBy(path: string, host: string): boolean {
  return namesHost(baseOf(path), host);
}

/** Some tools write the name of a host with its domain, others without. */
export function namesHost(text: string, host: string): boolean {
  return hasWord(text, host) || (/^[A-Za-z]/.test(host) && hasWord(text, host.split('.', 1)[0]!));
}

export function hasWord(text: string, word: string): boolean {
  const at = text.indexOf(word);
  if (word.length < 2 || at < 0) return false;
  return !/[A-Za-z0-9]/.test(text[at - 1] ?? '') && !/[A-Za-z0-9]/.test(text[at + word.length] ?? '');
}
