// Whether two failures are the same one: the cause, and the words of its evidence without what changes from run to run.
import { createHash } from 'node:crypto';
import type { Diagnosis } from '@grus/training';

export function fingerprintOf({ outcome, category, subcause, evidence }: Diagnosis): string | null {
  if (outcome === 'healthy' || subcause === null) return null;
  const words = lasting(evidence[0]?.fact ?? '');
  return createHash('sha256').update(`${category} ${subcause} ${words}`).digest('hex').slice(0, 16);
}

/** Without addresses, paths, numbers and times. */
function lasting(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/0x[0-9a-f]+/g, '#')
    .replaceAll(/(?:[\w.~-]*\/)+[\w.-]+/g, '/')
    .replaceAll(/[+-]?\d[\d.,:]*(?:e[+-]?\d+)?/g, '#')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
