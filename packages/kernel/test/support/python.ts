// The interpreter that the tests start kernels with.
import { fileURLToPath } from 'node:url';

export const python =
  process.env['GRUS_PYTHON'] ?? fileURLToPath(new URL('../../../../.venv/bin/python', import.meta.url));
