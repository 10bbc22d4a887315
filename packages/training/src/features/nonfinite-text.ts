// What a run says when its own code looks for NaN: in whose hands it was found, not where it came from.

/** What the text of a run says when its own code checks for NaN. */
export const nonFiniteText =
  /\bloss\b[^\n]{0,40}\b(is|became|was|=|:)?\s*(nan|inf)\b|\b(nan|inf|non-?finite|infinite)\b[^\n]{0,20}\bloss\b|returned nan values|gradient[^\n]{0,40}\b(nan|inf|non-?finite)\b|non-?finite (loss|grad)|\binvalid loss\b/i;

const namesNaN = /\b(nan|non-?finite|not finite)\b/i;

/** An error that found NaN in its hands says nothing of where it came from. */
export function isAboutNaN(text: string): boolean {
  return nonFiniteText.test(text) || namesNaN.test(text);
}
