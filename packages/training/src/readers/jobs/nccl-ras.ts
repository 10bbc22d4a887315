// What `ncclras` answers, as text or as JSON: the communicators of a job, which ranks are dead or do not answer, which report an error, and
// which have launched fewer operations than the others. What reads it is loaded with the first answer.
import { defineReader, wholeFile } from '../reader.js';

const largest = 64 * 1024 * 1024;

export const ncclRas = defineReader({
  id: 'nccl-ras',
  title: 'answer of ncclras',
  rewritten: true,
  fidelity: 0,
  matches: ({ text }) =>
    (/^\s*\{/.test(text) &&
      /"communicators_count"/.test(text.slice(0, 4000)) &&
      /"nccl_version"/.test(text)) ||
    (/^NCCL version \S+ compiled with CUDA/m.test(text.slice(0, 4000)) && /^Job summary$/m.test(text)),
  open: async (record) => {
    const { readAnswer } = await import('./nccl-ras-answer.js');
    return wholeFile(record, largest, (text) => readAnswer(record, text));
  },
});
