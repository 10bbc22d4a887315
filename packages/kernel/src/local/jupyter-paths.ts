// The folders in which Jupyter keeps kernelspecs, in the order in which they win.
import { execFile } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Data folders: those of JUPYTER_PATH, of the given interpreter, of the active environment and of the `jupyter` that a
 * shell would start, of the user, of the system. Jupyter itself looks into the same.
 */
export async function jupyterDataFolders(python?: string): Promise<string[]> {
  const fromEnvironment = (process.env['JUPYTER_PATH'] ?? '').split(delimiter).filter((path) => path !== '');
  const prefix = python === undefined ? undefined : await prefixOf(python);
  const prefixes = [prefix, process.env['VIRTUAL_ENV'], process.env['CONDA_PREFIX'], prefixOfCommand()];
  const ofPrefixes = prefixes.flatMap((one) => (one ? [join(one, 'share', 'jupyter')] : []));
  return [...new Set([...fromEnvironment, ...ofPrefixes, userFolder(), ...systemFolders()])];
}

/** The environment that the command `jupyter` of this shell belongs to. */
function prefixOfCommand(): string | undefined {
  const name = process.platform === 'win32' ? 'jupyter.exe' : 'jupyter';
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const found = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
  return found && dirname(dirname(realpathSync(found)));
}

/** `sys.prefix` of an interpreter; undefined when it does not run. */
async function prefixOf(python: string): Promise<string | undefined> {
  try {
    const { stdout } = await run(python, ['-I', '-c', 'import sys; print(sys.prefix)'], { timeout: 10_000 });
    return stdout.trim();
  } catch {
    return undefined;
  }
}

function userFolder(): string {
  const given = process.env['JUPYTER_DATA_DIR'];
  if (given) {
    return given;
  }
  if (process.platform === 'darwin') {
    return join(homedir(), 'Library', 'Jupyter');
  }
  if (process.platform === 'win32') {
    return join(process.env['APPDATA'] ?? homedir(), 'jupyter');
  }
  return join(process.env['XDG_DATA_HOME'] || join(homedir(), '.local', 'share'), 'jupyter');
}

function systemFolders(): string[] {
  return process.platform === 'win32'
    ? [join(process.env['PROGRAMDATA'] ?? 'C:\\ProgramData', 'jupyter')]
    : ['/usr/local/share/jupyter', '/usr/share/jupyter'];
}
