// Checks on graphs of NetworkX, and what its functions say of themselves: those that may change a graph are never asked.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { library } from '../../../src/libraries/networkx/index.js';
import { graphs } from './cases/graphs.js';
import { runCases } from './run-cases.js';

const python =
  process.env['GRUS_PYTHON'] ?? fileURLToPath(new URL('../../../../../.venv/bin/python', import.meta.url));

runCases('graphs', graphs);

const changingFunctions = `
import inspect, json
import networkx as nx
def changes(function):
    if not inspect.isfunction(function) and not hasattr(function, "mutates_input"):
        return False
    return bool(getattr(function, "mutates_input", False)) or "store_pos_as" in inspect.signature(function).parameters
print(json.dumps([name for name, value in vars(nx).items() if changes(value)]))
`;

it('asks no function that may change its graph', () => {
  const names = JSON.parse(execFileSync(python, ['-c', changingFunctions], { encoding: 'utf8' })) as string[];
  expect(names).toContain('relabel_nodes');
  const asked = [...names, 'add_path', 'add_cycle', 'add_star', 'freeze'].filter(
    (name) => library.questions!.purity!(`networkx.${name}`) !== 'no',
  );
  expect(asked).toEqual([]);
});
