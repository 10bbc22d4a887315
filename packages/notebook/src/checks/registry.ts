// The table of all checks. Adding one is adding its file and a line here.

import missingAttribute from './attributes/missing-attribute.js';
import missingColumn from './columns/missing-column.js';
import type { Check } from './define-check.js';
import { namesChecks } from './names/index.js';

export const checks: readonly Check[] = [...namesChecks, missingAttribute, missingColumn];

export function checkById(id: string): Check | undefined {
  return checks.find((check) => check.id === id);
}
