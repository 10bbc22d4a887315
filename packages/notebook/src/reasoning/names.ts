// One name for each library object, however it was reached: "pandas.core.reshape.concat.concat", `pd.concat` and a live
// function's own qualified name all become "pandas.concat". Each library says how its names are shortened.

export type Naming = (parts: readonly string[]) => string | undefined;

let namings: readonly Naming[] = [];

export function registerNames(all: readonly Naming[]): void {
  namings = all;
}

export function publicName(qualified: string): string {
  const all = qualified.split('.');
  const parts = all.filter(
    (part, index) =>
      index === 0 || index === all.length - 1 || !part.startsWith('_') || part.startsWith('__'),
  );
  if (parts.length <= 2) return parts.join('.');
  for (const naming of namings) {
    const name = naming(parts);
    if (name !== undefined) return name;
  }
  return parts.join('.');
}

/** Packages that offer everything at their top: "pandas.concat". */
export function flatNames(...packages: readonly string[]): Naming {
  return (parts) => (packages.includes(parts[0]!) ? `${parts[0]}.${tail(parts, 1)}` : undefined);
}

/** Packages whose public names sit one level below: "sklearn.metrics.accuracy_score". */
export function namesBelow(...packages: readonly string[]): Naming {
  return (parts) => (packages.includes(parts[0]!) ? `${parts[0]}.${parts[1]}.${tail(parts, 2)}` : undefined);
}

/** The last name, with the class before it when the path ends in Class.method. */
export function tail(parts: readonly string[], from: number): string {
  const owner = parts.at(-2)!;
  return parts.length - 2 >= from && /^[A-Z]/.test(owner) ? `${owner}.${parts.at(-1)}` : parts.at(-1)!;
}

/** The top-level package of a qualified name. */
export function topPackage(qualified: string): string {
  return qualified.split('.')[0]!;
}
