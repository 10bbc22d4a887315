// What the packages of an interpreter offer: which names, members of classes and arguments there are. Asked in a short process
// of that interpreter, which imports the packages and runs nothing of the user's.
import { execFile } from 'node:child_process';
import { homedir } from 'node:os';
import { z } from 'zod';

export interface Wanted {
  /** Dotted paths that begin with a module: `numpy.float_`. */
  readonly paths: readonly string[];
  /** Names of members, looked for on the public classes of the modules. */
  readonly members: readonly string[];
  /** Top-level modules. */
  readonly modules: readonly string[];
}

const offers = z.object({
  /** Version and distribution of each module that is installed; null where the module cannot be imported. */
  modules: z.record(
    z.string(),
    z.object({ distribution: z.string(), version: z.string().nullable() }).nullable(),
  ),
  /** Whether a path leads to something. */
  paths: z.record(z.string(), z.boolean()),
  /** Classes that have the member, by its name: `append` → `pandas.DataFrame`. */
  members: z.record(z.string(), z.array(z.string())),
  /** Arguments by name of what a path or a class's member leads to; null where it takes any, or cannot say. */
  parameters: z.record(z.string(), z.array(z.string()).nullable()),
});
export type Offers = z.infer<typeof offers>;

const program = `
import importlib, importlib.metadata, inspect, json, sys
wanted = json.loads(sys.stdin.read())
stdout, sys.stdout = sys.stdout, sys.stderr
told = {"modules": {}, "paths": {}, "members": {}, "parameters": {}}
try:
    owners = importlib.metadata.packages_distributions()
except AttributeError:
    owners = {}
loaded = {}
for name in wanted["modules"]:
    try:
        loaded[name] = importlib.import_module(name)
    except BaseException:
        told["modules"][name] = None
        continue
    owner = (owners.get(name) or [name])[0]
    try:
        version = importlib.metadata.version(owner)
    except Exception:
        version = getattr(loaded[name], "__version__", None)
    told["modules"][name] = {"distribution": owner, "version": version if isinstance(version, str) else None}

def parameters(thing):
    try:
        found = inspect.signature(thing).parameters.values()
    except Exception:
        return None
    kinds = [one.kind for one in found]
    if inspect.Parameter.VAR_KEYWORD in kinds:
        return None
    return [one.name for one in found if one.kind is not one.POSITIONAL_ONLY]

for path in wanted["paths"]:
    thing, ok = loaded.get(path.split(".")[0]), True
    if thing is None:
        continue
    so_far = path.split(".")[0]
    for part in path.split(".")[1:]:
        so_far += "." + part
        try:
            thing = getattr(thing, part)
        except Exception:
            try:
                thing = importlib.import_module(so_far)
            except BaseException:
                ok = False
                break
    told["paths"][path] = ok
    if ok and callable(thing):
        told["parameters"][path] = parameters(thing)
for member in wanted["members"]:
    told["members"][member] = []
    for module, held in loaded.items():
        for name, cls in sorted(vars(held).items()):
            if not name.startswith("_") and isinstance(cls, type) and hasattr(cls, member):
                place = module + "." + name
                told["members"][member].append(place)
                told["parameters"][place + "." + member] = parameters(getattr(cls, member))
print(json.dumps(told), file=stdout)`;

/** Null where the interpreter does not answer. */
export function offersOf(python: string, wanted: Wanted): Promise<Offers | null> {
  return new Promise((resolve) => {
    const child = execFile(
      python,
      ['-c', program],
      { timeout: 120_000, cwd: homedir(), maxBuffer: 64 * 1024 * 1024 },
      (error, stdout) => {
        try {
          const told = offers.safeParse(error ? null : JSON.parse(stdout));
          resolve(told.success ? told.data : null);
        } catch {
          resolve(null);
        }
      },
    );
    child.stdin?.end(JSON.stringify(wanted));
  });
}
