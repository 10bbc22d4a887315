// Where the committed pairs and the interpreter with their libraries are.
import { fileURLToPath } from 'node:url';

const root = new URL('../../../../', import.meta.url);

export const pairsFolder = fileURLToPath(new URL('pairs', root));
export const python = process.env['GRUS_PYTHON'] ?? fileURLToPath(new URL('.venv/bin/python', root));
