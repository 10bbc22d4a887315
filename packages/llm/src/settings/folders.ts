// Where Grus keeps what is not the user's own: cached answers and the record of what was spent.
import { homedir, platform } from 'node:os';
import { join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** GRUS_CACHE_DIR, or the platform's folder for caches. */
export function cacheFolder(env: Environment = process.env): string {
  if (env['GRUS_CACHE_DIR']) return env['GRUS_CACHE_DIR'];
  switch (platform()) {
    case 'darwin':
      return join(homedir(), 'Library', 'Caches', 'grus');
    case 'win32':
      return join(env['LOCALAPPDATA'] ?? join(homedir(), 'AppData', 'Local'), 'grus', 'cache');
    default:
      return join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'grus');
  }
}

/** GRUS_STATE_DIR, or the platform's folder for what a program remembers. */
export function stateFolder(env: Environment = process.env): string {
  if (env['GRUS_STATE_DIR']) return env['GRUS_STATE_DIR'];
  switch (platform()) {
    case 'darwin':
      return join(homedir(), 'Library', 'Application Support', 'grus');
    case 'win32':
      return join(env['LOCALAPPDATA'] ?? join(homedir(), 'AppData', 'Local'), 'grus', 'state');
    default:
      return join(env['XDG_STATE_HOME'] || join(homedir(), '.local', 'state'), 'grus');
  }
}
