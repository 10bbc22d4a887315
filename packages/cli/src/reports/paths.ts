// Paths as reports name them: with slashes, whatever the system.
import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';

export function uriPath(path: string): string {
  return path.replaceAll('\\', '/');
}

/** Relative to the folder that Grus was called in, as code hosts want it; outside of that folder the whole address. */
export function fileUri(path: string): string {
  if (isAbsolute(path)) return pathToFileURL(path).href;
  return uriPath(path).split('/').map(encodeURIComponent).join('/');
}
