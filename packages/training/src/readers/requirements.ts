// Lists of installed packages: `pip freeze` into requirements.txt, as W&B and careful people keep beside a run.
import { defineReader, wholeFile } from './reader.js';

const maxSize = 1024 * 1024;

export const requirements = defineReader({
  id: 'requirements',
  title: 'installed packages',
  rewritten: true,
  fidelity: 0,
  matches: ({ name, text }) =>
    /^(requirements|pip[-_]?freeze|packages).*\.txt$/.test(name) ||
    /^(?:[\w.-]+==[\w.+!-]+\r?\n){3}/.test(text),
  open: (record) =>
    wholeFile(record, maxSize, (text) => {
      for (const [index, line] of text.split('\n').entries()) {
        const match = /^([\w.-]+)(?:\[[\w,]+\])?==([\w.+!-]+)/.exec(line.trim());
        if (match) record.version(match[1]!, match[2]!, index + 1);
      }
    }),
});
