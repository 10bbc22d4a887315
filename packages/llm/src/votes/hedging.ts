// An answer that says "crash" and means "perhaps": words of doubt in its cause. Grus speaks where it is certain, so such
// an answer is no vote for a crash. The rule was chosen on JunoBench's development split, among some twenty ways to count
// the same recorded votes, after reading the false alarms there: its figures on that split are in-sample.

const doubt =
  /\b(?:may|might|could|likely|possibl[ey]|potential(?:ly)?|probabl[ey]|perhaps|unclear|uncertain|unless|if)\b/i;

export function hedges(cause: string): boolean {
  return doubt.test(cause);
}
