// Values that folding can produce: plain Python values small enough to be reasoned about literally.

export type Folded =
  | { readonly kind: 'str'; readonly value: string }
  | { readonly kind: 'int' | 'float'; readonly value: number }
  | { readonly kind: 'bool'; readonly value: boolean }
  | { readonly kind: 'none' }
  /** A `pathlib` path, in POSIX form. */
  | { readonly kind: 'path'; readonly value: string }
  | { readonly kind: 'list' | 'tuple'; readonly items: readonly Folded[] };

export function text(value: string): Folded {
  return { kind: 'str', value };
}

/** `str(value)` where it is certain. */
export function asText(value: Folded): string | undefined {
  switch (value.kind) {
    case 'str':
    case 'path':
      return value.value;
    case 'int':
      return String(value.value);
    case 'bool':
      return value.value ? 'True' : 'False';
    case 'none':
      return 'None';
    default:
      return undefined;
  }
}

/** The text of a value that Python accepts as a file name. */
export function asFileName(value: Folded | undefined): string | undefined {
  return value?.kind === 'str' || value?.kind === 'path' ? value.value : undefined;
}

/** `os.path.join` of POSIX: an absolute part starts anew. */
export function joinPath(parts: readonly string[]): string {
  let joined = '';
  for (const part of parts) {
    if (part.startsWith('/')) joined = part;
    else joined += joined === '' || joined.endsWith('/') ? part : `/${part}`;
  }
  return joined;
}

/** A `pathlib` path in its normal form: no doubled or trailing slash, no `.` part. */
export function purePath(value: string): string {
  const absolute = value.startsWith('/');
  const parts = value.split('/').filter((part) => part !== '' && part !== '.');
  return (absolute ? '/' : '') + parts.join('/') || '.';
}
