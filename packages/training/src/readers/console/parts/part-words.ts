// The words for a part of the data that stand by themselves in a text.
import type { Split } from '../../../record/split.js';
import { partNamed } from '../../rows/row-words.js';

/** Neither of a name, a path or a file, nor a word that is given a value. */
export const parts =
  /(?<![\w./=-])(?:(train(?:ed|ing)?|trn)|(test(?:ed|ing)?|tst)|val|valid(?:at(?:ed?|ion|ing))?|eval(?:uat(?:ed?|ion|ing))?|dev|cv|cross[- ]?val(?:idation)?|(?:held|hold)[- ]?out|verification)(?![\w/=]|[.-]\w)/gi;

/** A part is the value of a setting: `collection=inference_eval`, `split: dev_clean`, `"phase": "test"`. */
const settled =
  /\b(?:split|subset|dataset|data|set|partition|phase|mode|stage|collection|loop|part|tag|prefix)["']?\s*[=:]\s*["']?([A-Za-z][\w-]*)/gi;

/** What is done, before a word for what it is done with: `Evaluating train`, `Validation on the test set`. */
const done =
  /\b(?:evaluat(?:ed?|ion|ing)|validat(?:ed?|ion|ing)|test(?:ed|ing)?)(?= (?:(?:on|of|with|the|for) )*(?:train(?:ing)?|test|val(?:id(?:ation)?)?|dev)\b)/gi;

/** The parts that a text speaks of, in their order. */
export function partsIn(text: string): Split[] {
  const plain = text
    .replace(settled, (whole, value: string) => ` ${partNamed(value) ?? whole} `)
    .replace(done, '');
  return [...plain.matchAll(parts)].map(([, train, test]) =>
    train !== undefined ? 'train' : test !== undefined ? 'test' : 'eval',
  );
}
