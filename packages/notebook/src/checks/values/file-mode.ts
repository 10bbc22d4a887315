/**
 * # A file that was opened the other way
 *
 * ## What
 * `write` or `writelines` of a file that the cell opened for reading, or `read`, `readline` or `readlines` of one that it opened
 * for writing.
 *
 * ## Why it crashes
 * Python raises `io.UnsupportedOperation: not writable` or `not readable`.
 *
 * ## Example
 * State: a file `log.txt`. Cell: `with open("log.txt") as f: f.write("done")`.
 *
 * ## Fix
 * Open the file with the mode that is needed: `"a"` to append, `"w"` to write anew, `"r+"` for both.
 *
 * ## When it stays silent
 * For files that were not opened in the cell, and when the mode is not known.
 */
import { defineCheck } from '../define-check.js';

const writing = new Set(['write', 'writelines']);
const reading = new Set(['read', 'readline', 'readlines']);

export default defineCheck({
  id: 'values/file-mode',
  title: 'A file that was opened the other way',
  rung: 'contracts',
  libraries: [],
  status: 'preview',
  on: {
    call(event, context) {
      const { receiver, method } = event;
      if (!receiver || method === null || !/^io\.(TextIOWrapper|IOBase)$/.test(receiver.fact.class ?? ''))
        return;
      const held = receiver.fact.attributes?.get('mode');
      const mode = held === undefined ? undefined : context.literal(held);
      if (typeof mode !== 'string' || mode.includes('+')) return;
      const isReader = !/[wax]/.test(mode);
      if (!(isReader ? writing : reading).has(method)) return;
      const name = context.text(receiver.node);
      const what = isReader ? 'writable' : 'readable';
      context.report({
        exception: 'UnsupportedOperation',
        message: mode.includes('b') ? method : `not ${what}`,
        evidence: [{ fact: `${name} was opened with mode '${mode}'`, source: context.source(receiver) }],
        explanation: `\`${context.text(event.node)}\` raises UnsupportedOperation: ${name} is not ${what}.`,
        remedy: isReader
          ? 'Open the file with "a" to append or with "w" to write it anew.'
          : 'Open the file with "r" to read it, or with "r+" for both.',
      });
    },
  },
});
