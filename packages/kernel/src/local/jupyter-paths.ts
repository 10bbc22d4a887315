// The folders in which Jupyter keeps kernelspecs, in the order in which they win.
import { execFile } from 'node:child_process';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Data folders: those of JUPYTER_PATH, of the given interpreter, of the user, of the system. */
export async function jupyterDataFolders(python?: string): Promise<string[]> {
  const fromEnvironment = (process.env['JUPYTER_PATH'] ?? '').split(delimiter).filter((path) => path !== '');
  const prefix = python === undefined ? undefined : await prefixOf(python);
  const ofPrefix = prefix === undefined ? [] : [join(prefix, 'share', 'jupyter')];
  return [...new Set([...fromEnvironment, ...ofPrefix, userFolder(), ...systemFolders()])];
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
