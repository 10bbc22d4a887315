// An answer that says "crash" and means "perhaps": words of doubt in its cause. Grus speaks where it is certain, so such
// an answer is no vote for a crash.

const doubt =
  /\b(?:may|might|could|likely|possibl[ey]|potential(?:ly)?|probabl[ey]|perhaps|unclear|uncertain|unless|if)\b/i;

export function hedges(cause: string): boolean {
  return doubt.test(cause);
}
