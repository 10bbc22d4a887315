// The work of `grus doctor`: looks at the machine, starts the kernel that a notebook would get, and tells what it saw.
import { dirname, join, resolve } from 'node:path';
import { GrusError, type Reason, textOf } from '@grus/core';
import {
  activeEnvironments,
  baseEnvironment,
  type ChosenBy,
  type ChosenKernel,
  dryRun,
  findKernelSpecs,
  installedVersions,
  interpreterOf,
  nearEnvironments,
  probeInterpreter,
  startKernel,
  strengths,
  withKernel,
} from '@grus/kernel';
import { type NotebookDocument, readNotebook } from '@grus/notebook';
import { version } from '../generated/version.js';
import type { KernelOptions } from '../options/kernel.js';
import type { SettingsOptions } from '../options/settings.js';
import { renderDoctor } from '../render/doctor.js';
import { modelSettings } from '../settings/apply.js';
import { checkSettings } from '../settings/checks.js';
import { noSettings, type Settings, settingsFor } from '../settings/find.js';
import { exitCodes, printJson } from '../terminal/output.js';
import { startProgress } from '../terminal/progress.js';
import { styleFor } from '../terminal/style.js';
import type { Examination, FoundInterpreter, FoundStrength } from './examination.js';
import { interpreterAnswer, ownInterpreter } from './interpreters.js';
import { chosenFor } from './kernels.js';
import { modelSetUp } from './model-set-up.js';

export interface DoctorFlags extends KernelOptions, SettingsOptions {
  readonly json?: boolean;
}

/** The distributions that Grus knows more about than their names. */
const libraries = [
  ...['ipykernel', 'ipython', 'jupyterlab', 'notebook', 'numpy', 'pandas', 'polars', 'scipy', 'scikit-learn'],
  ...['matplotlib', 'statsmodels', 'networkx', 'torch', 'tensorflow', 'keras', 'transformers', 'datasets'],
  ...['lightning', 'pytorch-lightning', 'xgboost', 'lightgbm', 'catboost', 'pillow'],
];

export async function doctor(notebook: string | undefined, flags: DoctorFlags): Promise<number> {
  const progress = startProgress();
  progress.update('looking at this machine');
  const examination = await examine(notebook ?? null, flags).finally(() => progress.done());
  if (flags.json) printJson(examination);
  else process.stdout.write(`${renderDoctor(examination, styleFor(process.stdout))}\n`);
  return examination.notebook.problem === null && examination.settings.problem === null
    ? exitCodes.nothingBad
    : exitCodes.couldNotWork;
}

async function examine(path: string | null, flags: DoctorFlags): Promise<Examination> {
  const document = path === null ? null : await readNotebook(path);
  const place = path ?? join(process.cwd(), 'notebook.ipynb');
  const { chosen, problem } = await choose(place, document, flags);
  const { settings, problem: settingsProblem } = await readSettings(place, flags);
  const python = chosen?.python ?? null;
  return {
    version,
    node: process.versions.node,
    platform: `${process.platform}-${process.arch}`,
    interpreters: await findInterpreters(place, chosen),
    kernels: (await findKernelSpecs()).map((spec) => ({
      name: spec.name,
      display_name: spec.displayName,
      language: spec.language,
      python: interpreterOf(spec),
      folder: spec.folder,
    })),
    notebook: {
      path,
      kernelspec: document?.metadata.kernelspec?.name ?? null,
      interpreter: chosen && interpreterAnswer(chosen),
      problem,
    },
    isolation: chosen ? await tryStrengths(chosen, dirname(resolve(place))) : [],
    libraries: python === null ? {} : await installedVersions(python, libraries),
    settings: { file: settings.file, values: settings.values, problem: settingsProblem },
    model: modelSetUp(modelSettings(settings)),
  };
}

async function choose(place: string, document: NotebookDocument | null, flags: DoctorFlags) {
  try {
    return { chosen: await chosenFor(place, document, flags), problem: null };
  } catch (error) {
    if (!GrusError.isInstance(error)) throw error;
    return { chosen: null, problem: `${error.message}. ${error.advice}` };
  }
}

/** A file that cannot be read is told, and the rest of the machine is looked at all the same. */
async function readSettings(
  place: string,
  flags: DoctorFlags,
): Promise<{ settings: Settings; problem: string | null }> {
  try {
    const settings = await settingsFor(place, flags.settings);
    checkSettings(settings, place);
    return { settings, problem: null };
  } catch (error) {
    if (!GrusError.isInstance(error)) throw error;
    return { settings: noSettings, problem: `${error.message}. ${error.advice}` };
  }
}

async function findInterpreters(place: string, chosen: ChosenKernel | null): Promise<FoundInterpreter[]> {
  const own = ownInterpreter();
  const found: [ChosenBy, string][] = [
    ...(chosen?.python ? [[chosen.by, chosen.python] as [ChosenBy, string]] : []),
    ...activeEnvironments().map((one): [ChosenBy, string] => ['active', one]),
    ...nearEnvironments(dirname(resolve(place))).map((one): [ChosenBy, string] => ['near', one]),
    ...baseEnvironment().map((one): [ChosenBy, string] => ['base', one]),
    ...(own === undefined ? [] : [['own', own] as [ChosenBy, string]]),
    ['path', process.platform === 'win32' ? 'python' : 'python3'],
  ];
  const seen = new Map<string, FoundInterpreter>();
  for (const [found_as, python] of found) {
    const told = await probeInterpreter(python);
    const path = python.includes('/') || told === null ? python : told.executable;
    if (seen.has(path) || (told === null && found_as === 'path')) continue;
    seen.set(path, {
      python: path,
      version: told?.version ?? null,
      ipykernel: told?.ipykernel ?? false,
      found_as,
    });
  }
  return [...seen.values()];
}

/** Makes a copy of an empty kernel under each strength: what the machine says about itself is no proof. */
async function tryStrengths(chosen: ChosenKernel, cwd: string): Promise<FoundStrength[]> {
  const start = chosen.spec ? { name: chosen.spec.name, cwd } : { python: chosen.python!, cwd };
  try {
    return await withKernel(startKernel(start), async (kernel) => {
      const tried: FoundStrength[] = [];
      for (const strength of strengths) {
        const result = await dryRun(kernel, ['pass'], {
          budgetMs: 20_000,
          isolation: strength,
          requireIsolation: strength,
        });
        const available = result.status === 'ok' && result.isolation?.strength === strength;
        const because = result.status === 'ok' ? (result.skipped[0] ?? result.reason) : result.reason;
        tried.push({ strength, available, missing: available ? null : textOrUnknown(because) });
      }
      return tried;
    });
  } catch (error) {
    const missing = error instanceof Error ? error.message : String(error);
    return strengths.map((strength) => ({ strength, available: false, missing }));
  }
}

function textOrUnknown(reason: Reason | null): string {
  return reason === null ? 'no copy could be made' : textOf(reason);
}
