// What `grus doctor` tells, in the fields of its JSON.
import type { ChosenBy, IsolationStrength } from '@grus/kernel';
import type { ProjectSettings } from '../settings/definition.js';
import type { InterpreterAnswer } from './interpreters.js';
import type { ModelAnswer } from './model-set-up.js';

export interface FoundInterpreter {
  readonly python: string;
  readonly version: string | null;
  readonly ipykernel: boolean;
  readonly found_as: ChosenBy;
}

export interface FoundKernel {
  readonly name: string;
  readonly display_name: string;
  readonly language: string;
  readonly python: string | null;
  readonly folder: string;
}

export interface FoundStrength {
  readonly strength: IsolationStrength;
  readonly available: boolean;
  /** Why it is not to be had here; null where it is. */
  readonly missing: string | null;
}

export interface Examination {
  readonly version: string;
  readonly node: string;
  readonly platform: string;
  readonly interpreters: readonly FoundInterpreter[];
  readonly kernels: readonly FoundKernel[];
  readonly notebook: {
    readonly path: string | null;
    readonly kernelspec: string | null;
    readonly interpreter: InterpreterAnswer | null;
    /** Why no kernel can be started; null where one can. */
    readonly problem: string | null;
  };
  readonly isolation: readonly FoundStrength[];
  readonly libraries: Readonly<Record<string, string>>;
  readonly settings: {
    readonly file: string | null;
    readonly values: ProjectSettings;
    /** What is wrong with the file; null where nothing is. */
    readonly problem: string | null;
  };
  readonly model: ModelAnswer | null;
}
