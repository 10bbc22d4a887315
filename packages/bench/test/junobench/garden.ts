// A small benchmark folder of our own: two crashing notebooks about a garden and their repaired twins, with recorded
// answers of one model and the words of one analyser.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const label = {
  library_group: 'pandas',
  library: 'pandas',
  root_cause: 'data confusion',
  pipeline_stage: 'data preparation',
};
export const labels = [
  {
    ...label,
    case: 'garden_1',
    exception: 'attributeerror',
    message: "'numpy.ndarray' object has no attribute 'water'",
    crash_type: 'attribute error',
    diagnosis: "Crash occurs at bed.water() because bed is an array and has no attribute 'water'.",
  },
  {
    ...label,
    case: 'garden_2',
    exception: 'valueerror',
    message: 'shapes (3,4) and (3,4) not aligned',
    crash_type: 'tensor shape mismatch',
    diagnosis: 'np.dot(soil, soil) multiplies arrays whose shapes do not fit.',
  },
];

function input(executed: string, runtime: string, target: string): string {
  return `# Executed Cells:\n## Cell 1:\n\n${executed}\n\n# Current relevent runtime information:\n${runtime}\n# Target Cell:\n\n${target}\n`;
}

const array = "{'dtype': 'float64', 'has_nan': False, 'shape': (3, 4), 'type': 'numpy.ndarray'}";
const numpy = `'__method__np_dot': {'type': "<class 'function'>"}, 'np': {'type': "<class 'module'>"}`;
const inputs: Record<string, string> = {
  garden_1_reproduced: input('bed = plant()', `{'bed': ${array}}`, 'bed.water()'),
  garden_1_fixed: input(
    'bed = plant()',
    `{'__method__bed_sum': {'type': "<class 'method'>"}, 'bed': ${array}}`,
    'bed.sum()',
  ),
  garden_2_reproduced: input(
    'import numpy as np\nsoil = dig()',
    `{${numpy}, 'soil': ${array}}`,
    'np.dot(soil, soil)',
  ),
  garden_2_fixed: input(
    'import numpy as np\nsoil = dig()',
    `{${numpy}, '__method__soil_T': ${array.replace('(3, 4)', '(4, 3)')}, 'soil': ${array}}`,
    'np.dot(soil, soil.T)',
  ),
};

const wrong = { detection: false, reasoning: 'Everything is defined.' };
const answers: Record<string, unknown[]> = {
  garden_1_reproduced: [wrong, wrong, wrong, wrong, wrong],
  garden_1_fixed: [wrong, wrong, wrong, wrong, { detection: true, reasoning: 'May fail.' }],
  garden_2_reproduced: Array.from(
    { length: 5 },
    () =>
      '```json\n{"reasoning": "np.dot(soil, soil) has shapes that are not aligned", "detection": true}\n```',
  ),
  garden_2_fixed: [
    wrong,
    { detection: 'True', reasoning: 'np.dot fails.' },
    { detection: true, reasoning: 'np.dot fails.' },
    "{'detection': True, 'reasoning': 'np.dot fails.'}",
    'I cannot tell.',
  ],
};

/** Writes the folder and returns its path. */
export function writeGarden(): string {
  const data = mkdtempSync(join(tmpdir(), 'grus-junobench-'));
  const write = (path: string, content: string): void => {
    const file = join(data, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  };
  write('labels.json', JSON.stringify(labels));
  for (const [id, text] of Object.entries(inputs)) {
    write(`inputs/code+runtime/pandas/${id}.txt`, text);
    write(`responses/oak/code+runtime/${id}.json`, JSON.stringify(answers[id]));
    write(`responses/oak/code/${id}.json`, JSON.stringify([wrong, wrong, wrong]));
    write(`analyzers/pyright/${id}.json`, '[]');
  }
  write(
    'analyzers/pyright/garden_1_reproduced.json',
    JSON.stringify([
      { code_line: '1: bed.water()', message: 'Cannot access attribute "water" for bed', severity: 'error' },
      { code_line: null, message: 'This belongs to no rule', rule: null, severity: 'error' },
    ]),
  );
  return data;
}
