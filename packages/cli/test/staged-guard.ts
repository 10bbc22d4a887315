// The Python package of the guard as the wheel has it: a folder for PYTHONPATH.
import { onceARun } from '../../../scripts/lib/once-a-run.mjs';
import { stageGuard } from '../../../scripts/lib/stage.mjs';

export const stagedGuard = (): Promise<string> => onceARun('guard', stageGuard);
