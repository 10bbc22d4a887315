// What the names of files say of hosts that are counted.

export function baseOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Of names that count hosts, by numbers or by a last letter. A master is counted before the workers. */
export function familyOf(name: string): string {
  return name
    .replace(/\d+/g, '#')
    .replace(/(?<=[-_])(?:[a-z]$|(?:master|worker)(?=-))|(?<=[a-z])[A-H]$/g, '#');
}
