// The structured judge: does an explanation name the crash that really happened? It compares the exception, the cause and
// the subjects (names, columns, calls, shapes) with the recorded exception and the expert diagnosis. No model is asked.
import type { Label } from '../data/schemas.js';
import { type Cause, causesIn, definiteCauses, vagueCauses } from './causes.js';
import { exceptionGroup, exceptionsIn } from './exceptions.js';
import { mentions, subjectsIn, themesIn } from './subjects.js';

export interface ExplanationScore {
  readonly agrees: boolean;
  /** Whether the explanation names an exception that can be the recorded one; null when it names none. */
  readonly exception: boolean | null;
  readonly causes: readonly Cause[];
  /** The expected subjects that the explanation mentions, of how many. */
  readonly subjects: readonly string[];
  readonly expectedSubjects: number;
  /** Words of meaning that the explanation shares with the expert diagnosis. */
  readonly themes: readonly string[];
}

export function judgeExplanation(explanation: string, label: Label, code: string): ExplanationScore {
  const expectedCauses = causesIn(`${label.exception}. ${label.message}. ${label.diagnosis}`);
  const claimed = [...causesIn(explanation)];
  const causes = claimed.filter((cause) => expectedCauses.has(cause));
  const exception = sameException(explanation, label);
  const subjects = [...new Set([...subjectsIn(label.message, code), ...subjectsIn(label.diagnosis, code)])];
  const mentioned = subjects.filter((subject) => mentions(explanation, subject));
  const names = new Set(mentioned.map((subject) => subject.toLowerCase()));
  const expectedThemes = themesIn(label.diagnosis);
  const themes = [...themesIn(explanation)].filter((theme) => expectedThemes.has(theme) && !names.has(theme));
  const precise = [...expectedCauses].some((cause) => !vagueCauses.has(cause));
  const evidence = {
    claimed,
    causes,
    precise,
    subjects: mentioned.length,
    expected: subjects.length,
    themes: themes.length,
  };
  return {
    agrees: exception !== false && decide(evidence),
    exception,
    causes,
    subjects: mentioned,
    expectedSubjects: subjects.length,
    themes,
  };
}

function sameException(explanation: string, label: Label): boolean | null {
  const named = exceptionsIn(explanation);
  if (named.length === 0) return null;
  const expected = new Set([label.exception, ...exceptionsIn(label.diagnosis)].map(exceptionGroup));
  return named.some((type) => expected.has(exceptionGroup(type)));
}

interface MatchEvidence {
  readonly claimed: readonly Cause[];
  readonly causes: readonly Cause[];
  /** Whether the expert names a cause more definite than "a shape" or "an argument". */
  readonly precise: boolean;
  readonly subjects: number;
  readonly expected: number;
  readonly themes: number;
}

/**
 * A shared precise cause needs one shared subject. Without one, a definite other cause contradicts; otherwise vague causes
 * and the talk about the same things must carry the agreement.
 */
function decide({ claimed, causes, precise, subjects, expected, themes }: MatchEvidence): boolean {
  const about = subjects + themes / 2;
  if (causes.some((cause) => !vagueCauses.has(cause))) return about >= Math.min(1, expected);
  if (claimed.some((cause) => definiteCauses.has(cause))) return false;
  if (causes.length >= (precise ? 2 : 1)) return about >= 2;
  return about >= 3 && subjects >= Math.min(2, expected);
}
