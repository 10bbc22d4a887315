// The kernel's interpreter in words: which one a notebook got, how it was found, and what came before it.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ChosenBy, ChosenKernel, PassedOver } from '@grus/kernel';

/** In the JSON of a verdict; null for a kernel that somebody else started. */
export interface InterpreterAnswer {
  readonly python: string | null;
  readonly kernel: string | null;
  readonly chosen_by: ChosenBy;
  readonly certain: boolean;
  readonly why: string;
}

export function interpreterAnswer(chosen: ChosenKernel): InterpreterAnswer {
  const { python, spec, by, certain } = chosen;
  return { python, kernel: spec?.name ?? null, chosen_by: by, certain, why: whyChosen(chosen) };
}

const reasons: Readonly<Record<ChosenBy, string>> = {
  option: 'named by --python',
  'kernel-name': 'the kernel that --kernel-name names',
  variable: 'named by GRUS_PYTHON',
  active: 'the active environment',
  near: "the nearest environment of the notebook's folder",
  base: "conda's base environment, which is active",
  kernelspec: 'the kernel that the notebook names',
  editor: "named by the editor's settings",
  own: 'the one that Grus is installed with',
  path: 'the first on the PATH',
};

export function whyChosen({ by, certain, passedOver }: ChosenKernel): string {
  const guess = certain ? [] : ['a guess: name the right one with --python'];
  return [reasons[by], ...passedOver.map(whyNot), ...guess].join('; ');
}

function whyNot({ python, runs }: PassedOver): string {
  return runs ? `${python} has no ipykernel` : `${python} does not start`;
}

/** One line for people: the interpreter, and how it was found. */
export function interpreterLine(chosen: ChosenKernel): string {
  const subject = chosen.python ?? `kernel ${chosen.spec?.name}`;
  return `${subject} (${whyChosen(chosen)})`;
}

/** The interpreter of the installation that this program came with, or the `.venv` of the clone. */
export function ownInterpreter(env: NodeJS.ProcessEnv = process.env): string | undefined {
  if (env['GRUS_OWN_PYTHON']) return env['GRUS_OWN_PYTHON'];
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, '.venv')) && dirname(folder) !== folder) folder = dirname(folder);
  const binary = process.platform === 'win32' ? join('Scripts', 'python.exe') : join('bin', 'python');
  const python = join(folder, '.venv', binary);
  return existsSync(python) ? python : undefined;
}
