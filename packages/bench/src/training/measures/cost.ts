// What diagnosing a run costs when a person takes over where a method is silent, and finds out where it was wrong.

/** Stated, not measured: a run takes an engineer half an hour; following a wrong answer takes one more. */
export const price = {
  person_per_hour: 90,
  hours_per_diagnosis: 0.5,
  hours_lost_by_a_wrong_answer: 0.5,
  processor_per_hour: 0.05,
  currency: 'USD',
} as const;

export interface Cost {
  /** Per run, in the currency of `price`. */
  readonly per_run: number | null;
  readonly by_person: number | null;
  readonly milliseconds: number | null;
}

export function costOf(
  answers: readonly { readonly abstained: boolean; readonly correct: boolean; readonly ms: number }[],
): Cost {
  if (answers.length === 0) return { per_run: null, by_person: null, milliseconds: null };
  const hours = answers.reduce((sum, { abstained, correct }) => {
    if (abstained) return sum + price.hours_per_diagnosis;
    return correct ? sum : sum + price.hours_per_diagnosis + price.hours_lost_by_a_wrong_answer;
  }, 0);
  const milliseconds = answers.reduce((sum, { ms }) => sum + ms, 0) / answers.length;
  const byPerson = (hours / answers.length) * price.person_per_hour;
  return {
    per_run: byPerson + (milliseconds / 3_600_000) * price.processor_per_hour,
    by_person: byPerson,
    milliseconds,
  };
}
