// Which Python a notebook gets. What was asked for comes first, then the environment of the shell, then that of the
// notebook's project, then what Jupyter would start; the rest is a guess, and is told as one.

import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join, resolve, sep } from 'node:path';
import { findKernelSpecs, type KernelSpec } from '../local/kernelspecs.js';
import { activeEnvironments, baseEnvironment, editorInterpreters, nearEnvironments } from './environments.js';
import { probeInterpreter } from './probe.js';

/** How the interpreter was found, in the order in which they win. */
export type ChosenBy =
  | 'option'
  | 'kernel-name'
  | 'variable'
  | 'active'
  | 'near'
  | 'base'
  | 'kernelspec'
  | 'editor'
  | 'own'
  | 'path';

export interface ChoiceRequest {
  /** Folder of the notebook. */
  readonly folder: string;
  /** The kernelspec that the notebook names. */
  readonly kernelspec?: string;
  /** Chosen by the user: an interpreter, or a kernelspec. */
  readonly python?: string;
  readonly kernelName?: string;
  /** The interpreter of Grus's own installation. */
  readonly own?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** An interpreter that came first and cannot run a kernel. */
export interface PassedOver {
  readonly python: string;
  readonly by: ChosenBy;
  /** False: it does not start at all; true: it has no ipykernel. */
  readonly runs: boolean;
}

export interface ChosenKernel {
  readonly by: ChosenBy;
  /** Null where a kernelspec starts something else than an interpreter. */
  readonly python: string | null;
  readonly version: string | null;
  readonly spec: KernelSpec | null;
  /** False where the notebook may well be meant for another interpreter. */
  readonly certain: boolean;
  readonly passedOver: readonly PassedOver[];
}

/** Null when nothing can be found that runs a kernel. */
export async function chooseKernel(request: ChoiceRequest): Promise<ChosenKernel | null> {
  const env = request.env ?? process.env;
  const asked = request.python ?? (request.kernelName === undefined ? env['GRUS_PYTHON'] : undefined);
  if (asked) return askedFor(asked, request.python === undefined ? 'variable' : 'option');
  const specs = await findKernelSpecs();
  const named = specNamed(specs, request.kernelName ?? request.kernelspec ?? 'python3');
  if (request.kernelName !== undefined) return named ? ofSpec(named, 'kernel-name') : null;

  const passedOver: PassedOver[] = [];
  const first = async (by: ChosenBy, candidates: readonly string[]): Promise<ChosenKernel | null> => {
    for (const python of candidates) {
      const told = await probeInterpreter(python);
      if (told?.ipykernel)
        return { by, python, version: told.version, spec: null, certain: true, passedOver };
      passedOver.push({ python, by, runs: told !== null });
    }
    return null;
  };
  const ofProject =
    (await first('active', activeEnvironments(env))) ??
    (await first('near', nearEnvironments(request.folder, env))) ??
    (await first('base', baseEnvironment(env)));
  if (ofProject)
    return { ...ofProject, certain: !passedOver.length && !contradicts(named, ofProject, request) };
  if (named) return { ...ofSpec(named, 'kernelspec'), certain: passedOver.length === 0, passedOver };
  if ((request.kernelspec ?? 'python3').toLowerCase() !== 'python3') return null;
  const guessed =
    (await first('editor', editorInterpreters(request.folder))) ??
    (await first('own', request.own === undefined ? [] : [request.own])) ??
    (await first('path', onPath(env)));
  return guessed && { ...guessed, certain: guessed.by === 'editor' && passedOver.length === 0 };
}

async function askedFor(asked: string, by: ChosenBy): Promise<ChosenKernel> {
  // The kernel starts in another folder: a relative path is meant from here, a bare command is looked up as usual.
  const python = asked.includes(sep) ? resolve(asked) : asked;
  return { by, python, version: null, spec: null, certain: true, passedOver: [] };
}

function ofSpec(spec: KernelSpec, by: ChosenBy): ChosenKernel {
  return { by, python: interpreterOf(spec), version: null, spec, certain: true, passedOver: [] };
}

/** The notebook names a kernel of its own, and that is another Python: only "python3" means whichever is at hand. */
function contradicts(named: KernelSpec | undefined, chosen: ChosenKernel, request: ChoiceRequest): boolean {
  if (!named || !request.kernelspec || named.name === 'python3') return false;
  const python = interpreterOf(named);
  return python === null || placeOf(python) !== placeOf(chosen.python ?? '');
}

/** `bin/python` and `bin/python3` of one environment are one; interpreters of two environments may be one file. */
function placeOf(python: string): string {
  const folder = dirname(python);
  return existsSync(folder) ? realpathSync(folder) : folder;
}

function specNamed(specs: readonly KernelSpec[], name: string): KernelSpec | undefined {
  return specs.find((spec) => spec.name === name.toLowerCase());
}

/** The interpreter that a kernelspec starts. */
export function interpreterOf(spec: KernelSpec): string | null {
  const [program = ''] = spec.argv;
  return /python[\d.]*(?:\.exe)?$/i.test(program) ? program : null;
}

function onPath(env: Readonly<Record<string, string | undefined>>): string[] {
  const names = process.platform === 'win32' ? ['python.exe'] : ['python3', 'python'];
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return names.flatMap((name) =>
    folders
      .map((folder) => join(folder, name))
      .filter(existsSync)
      .slice(0, 1),
  );
}
