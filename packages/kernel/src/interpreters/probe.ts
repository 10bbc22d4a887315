// Asks an interpreter about itself: one short process that imports nothing of the environment.
import { execFile } from 'node:child_process';
import { homedir } from 'node:os';
import { z } from 'zod';

const probed = z.object({
  executable: z.string(),
  version: z.string(),
  prefix: z.string(),
  /** Whether a kernel can be started with it. */
  ipykernel: z.boolean(),
});
export type ProbedInterpreter = z.infer<typeof probed>;

const program = `
import importlib.util, json, sys
print(json.dumps({
    "executable": sys.executable,
    "version": "%d.%d.%d" % sys.version_info[:3],
    "prefix": sys.prefix,
    "ipykernel": importlib.util.find_spec("ipykernel") is not None,
}))`;

/** Null when the program does not run, or is no Python. */
export async function probeInterpreter(python: string): Promise<ProbedInterpreter | null> {
  const told = probed.safeParse(await answerOf(python, program));
  return told.success ? told.data : null;
}

/** Versions of the distributions that are installed, by name; those that are not are left out. */
export async function installedVersions(
  python: string,
  names: readonly string[],
): Promise<Record<string, string>> {
  const ask = `
import importlib.metadata, json
found = {}
for name in ${JSON.stringify(names)}:
    try:
        found[name] = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        pass
print(json.dumps(found))`;
  const told = z.record(z.string(), z.string()).safeParse(await answerOf(python, ask));
  return told.success ? told.data : {};
}

/** Those of the top-level modules that the interpreter does not find, from a folder; nothing of them is imported. */
export async function missingModules(
  python: string,
  names: readonly string[],
  folder: string,
): Promise<string[]> {
  if (names.length === 0) return [];
  const ask = `
import importlib.util, json, sys
sys.path.insert(0, ${JSON.stringify(folder)})
def lacks(name):
    try:
        return name not in sys.modules and importlib.util.find_spec(name) is None
    except Exception:
        return False
print(json.dumps([name for name in ${JSON.stringify(names)} if lacks(name)]))`;
  const told = z.array(z.string()).safeParse(await answerOf(python, ask));
  return told.success ? told.data : [];
}

/** What the program printed as JSON. It runs in the user's home, so that no file of the project is imported. */
function answerOf(python: string, source: string): Promise<unknown> {
  return new Promise((resolve) => {
    execFile(python, ['-c', source], { timeout: 20_000, cwd: homedir() }, (error, stdout) => {
      try {
        resolve(error ? null : JSON.parse(stdout));
      } catch {
        resolve(null);
      }
    });
  });
}
