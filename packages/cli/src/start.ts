// How every start of `grus` begins. `grus diagnose PATH` has no options to parse: what parses them takes as long to load as a small log to
// read, and is loaded for everything else.
import { endNow, endQuietlyWhenUnread, exitCodes, printError } from './terminal/output.js';

export function start(runProgram: () => Promise<void>): void {
  endQuietlyWhenUnread();
  if (process.env['GRUS_DEBUG']) process.setSourceMapsEnabled(true);
  const plain = plainDiagnosis(process.argv.slice(2));
  (plain === null ? runProgram() : diagnose(plain)).catch((error: unknown) => {
    printError(error);
    process.exitCode = exitCodes.couldNotWork;
  });
}

interface PlainDiagnosis {
  readonly path: string;
  readonly json: boolean;
}

/** `diagnose PATH`, with `--json` or without; null for anything else. */
function plainDiagnosis([command, ...given]: readonly string[]): PlainDiagnosis | null {
  const [path, ...more] = given.filter((one) => one !== '--json');
  const isPlain = command === 'diagnose' && path !== undefined && more.length === 0;
  return isPlain && (path === '-' || !path.startsWith('-')) ? { path, json: given.length > 1 } : null;
}

async function diagnose({ path, json }: PlainDiagnosis): Promise<void> {
  const { diagnoseRun } = await import('./jobs/diagnose.js');
  endNow(await diagnoseRun(path, { json }));
}
