// Lints and type-checks the Python of the project: npm run check:python
import { checkPython } from './lib/check-python.mjs';
import { runScript } from './lib/setup.mjs';

await runScript(checkPython);
