// Keras, TensorFlow and timm separate training from validation by directory rather than by name:
// "logs/train/events…" beside "logs/validation/events…".
import type { Split } from '../record/series.js';

/** The split that a file's own directory names; null when it names none. */
export function splitOfDirectory(path: string): Split | null {
  const directory = path.split('/').at(-2)?.toLowerCase() ?? '';
  if (/^(validation|valid|val|eval|evaluation|dev|eval_.*)$/.test(directory)) return 'eval';
  if (/^(test|testing)$/.test(directory)) return 'test';
  return null;
}
