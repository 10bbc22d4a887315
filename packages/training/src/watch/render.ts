// A warning as a person reads it among the output of a run: three lines, what to expect, what was seen, how far to trust it.
import { visibleIn } from '@grus/core';
import { formatWhere } from '../record/where.js';
import type { RunWarning } from './warning.js';

export function renderWarning(told: RunWarning): string {
  const warning = visibleIn(told);
  const where = warning.step === null ? '' : ` at step ${warning.step}`;
  const lines = [
    `grus: warning${where}: ${warning.title}. Expected: ${warning.expected_failure}${lead(warning)}.`,
  ];
  for (const { fact, file, line } of warning.evidence.slice(0, 3)) {
    const place = file === '' ? '' : ` (${formatWhere({ file, ...(line === undefined ? {} : { line }) })})`;
    lines.push(`grus:   ${fact}${place}`);
  }
  const measured = warning.precision;
  if (measured !== null)
    lines.push(
      `grus:   in the training benchmark this warning was right ${Math.round(100 * measured.precision)} % of ${measured.warnings} times`,
    );
  return lines.join('\n');
}

function lead({ lead_steps, lead_seconds }: RunWarning): string {
  if (lead_steps === 0) return ', and it has begun';
  if (lead_steps !== null) return `, in about ${lead_steps} steps at this rate`;
  if (lead_seconds === null) return '';
  return lead_seconds < 120
    ? `, in about ${lead_seconds} s`
    : `, in about ${Math.round(lead_seconds / 60)} min`;
}
