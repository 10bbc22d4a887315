// A verdict in the fields that scripts rely on.
import type { Verdict } from '@grus/core';
import type { ChosenKernel } from '@grus/kernel';
import { interpreterAnswer } from './interpreters.js';

/** With the id of the check that spoke, and the Python that it holds for: null for a kernel that somebody else started. */
export function answerOf(
  verdict: Verdict,
  notebook: string | null,
  cell: number | null,
  chosen: ChosenKernel | null,
) {
  const { findings, ...fields } = verdict;
  const interpreter = chosen && interpreterAnswer(chosen);
  return { notebook, cell, ...fields, check: findings[0]?.check ?? null, interpreter };
}
