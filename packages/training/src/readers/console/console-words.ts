// What finds the words of a console log. The bundle has it ready: making it takes as long as reading a small log.
import { buildAutomaton, type KeywordAutomaton } from '../bytes/keyword-automaton.js';
import { flaggedWords } from './keywords.js';

/** Line feed, carriage return and backspace end a line: progress bars rewrite theirs. */
export function makeConsoleWords(): KeywordAutomaton {
  return buildAutomaton(flaggedWords(), [0x0a, 0x0d, 0x08]);
}
