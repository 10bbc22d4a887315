// The error file that torchrun's workers leave: {"message": {"message": …, "extraInfo": {"py_callstack": …}}}. It
// holds the worker's own traceback, which the launcher's trailer does not.
import { parseTolerantJson } from '../bytes/tolerant-json.js';
import { TracebackParser } from '../console/failures/traceback.js';
import { defineReader, wholeFile } from '../reader.js';
import { epochMilliseconds } from '../rows/rows.js';

const maxSize = 4 * 1024 * 1024;

export const elasticError = defineReader({
  id: 'elastic-error',
  title: 'torchrun error file',
  rewritten: true,
  fidelity: 0,
  matches: ({ name, text }) =>
    name.endsWith('.json') && /"message"\s*:/.test(text) && text.includes('"py_callstack"'),
  open: (record, head) =>
    wholeFile(record, maxSize, (text) => {
      const file = parseTolerantJson(text) as {
        message?: { extraInfo?: { py_callstack?: string; timestamp?: string } };
      };
      const info = file?.message?.extraInfo;
      if (typeof info?.py_callstack !== 'string') {
        record.note('corrupt', 'an error file without a call stack', -1);
        return;
      }
      const time = epochMilliseconds(Number(info.timestamp));
      const rank = /(?:rank_?|\/)(\d+)\/error\.json$/.exec(head.path);
      const parser = new TracebackParser(record);
      for (const line of info.py_callstack.split('\n')) {
        parser.feed({
          text: line,
          line: 1,
          rank: rank ? Number(rank[1]) : null,
          time: Number.isNaN(time) ? null : time,
          step: null,
        });
      }
      parser.finish();
    }),
});
