// The work of `grus llm calibrate`: the table of packages/llm, as the source text that it is kept in.
import { calibrateVotes } from '@grus/bench';
import { exitCodes, printJson } from '../terminal/output.js';

export interface CalibrateFlags {
  readonly data: string;
  readonly json?: boolean;
}

export async function calibrate(flags: CalibrateFlags): Promise<number> {
  const calibration = await calibrateVotes(flags.data);
  if (flags.json) {
    printJson(calibration);
    return exitCodes.nothingBad;
  }
  const { models, open, rows } = calibration;
  const lines = rows.map(
    ({ model, outcome, agreeing, asked, n, right }) =>
      `  { model: '${model}', outcome: '${outcome}', agreeing: ${agreeing}, asked: ${asked}, n: ${n}, right: ${right} },`,
  );
  process.stdout.write(
    `// Written by \`grus llm calibrate\`: polls over the recorded answers of ${models.length} models to the ${open} questions that the\n` +
      "// deterministic rungs left open, and how often they were right.\nimport type { CalibrationRow } from './calibration-row.js';\n\n" +
      `export const calibrationRows: readonly CalibrationRow[] = [\n${lines.join('\n')}\n];\n`,
  );
  return exitCodes.nothingBad;
}
