// An answer that says "crash" and means "perhaps": words of doubt in its cause. Grus speaks where it is certain, so such
// an answer is no vote for a crash. The rule was chosen on JunoBench's development split; chosen anew inside folds, and on
// the answers of other models alone, it is chosen again (`grus bench junobench` prints both).

const doubt =
  /\b(?:may|might|could|likely|possibl[ey]|potential(?:ly)?|probabl[ey]|perhaps|unclear|uncertain|unless|if)\b/i;

export function hedges(cause: string): boolean {
  return doubt.test(cause);
}
