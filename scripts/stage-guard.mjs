// Puts the guard together as the wheel has it, and prints the folder for PYTHONPATH: node scripts/stage-guard.mjs FOLDER
import { stageGuard } from './lib/stage.mjs';

process.stdout.write(`${await stageGuard(process.argv[2] ?? 'dist/guard')}\n`);
