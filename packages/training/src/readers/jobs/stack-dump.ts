// What `py-spy dump` prints of one process or of several, one after the other: "Process 12: python train.py", then its threads.
import { rankOfPath } from '../../ranks/present/path-rank.js';
import type { StackFrame } from '../../record/stack.js';
import { defineReader, wholeFile } from '../reader.js';

const largest = 8 * 1024 * 1024;
const processLine = /^Process (\d+): (.*)$/;
const threadLine = /^Thread (?:\S+ )?\((?:idle|active)[^)]*\)(?:: "(.*)")?/;
const frameLine = /^\s+(\S.*?) \((.+?):(\d+)\)$/;
/** Launchers that pass the rank as an argument, and people who write it beside the command. */
const rankOfCommand =
  /(?:^|\s)(?:--?(?:global[_-])?rank[= ]|\(rank[ =:]?)(\d{1,6})\b|\s--local[_-]rank[= ](\d{1,6})\b/;

export const stackDump = defineReader({
  id: 'stack-dump',
  title: 'stacks of py-spy',
  rewritten: true,
  fidelity: 0,
  matches: ({ text }) =>
    /^Process \d+: /m.test(text.slice(0, 200)) && /^Thread (?:\S+ )?\((?:idle|active)/m.test(text),
  open: (record) =>
    wholeFile(record, largest, (text) => {
      let pid: number | null = null;
      let rank = rankOfPath(record.file);
      let frames: StackFrame[] | null = null;
      let threads = 0;
      for (const [index, line] of text.split(/\r?\n/).entries()) {
        const process = processLine.exec(line);
        const started = threadLine.exec(line);
        if (process) {
          pid = Number(process[1]);
          // The stack of a worker is not that of the rank which started it.
          const said = /\bworker \d/i.test(process[2]!) ? null : rankOfCommand.exec(process[2]!);
          rank = rankOfPath(record.file) ?? (said ? Number(said[1] ?? said[2]) : null);
          if (said?.[2] !== undefined) record.countsOnHost = true;
          frames = null;
          threads = 0;
        } else if (started) {
          // Without names the first thread is the main one.
          const isMain = started[1] === undefined ? threads++ === 0 : started[1] === 'MainThread';
          frames = isMain ? [] : null;
          if (frames) record.stack({ rank, pid, frames, at: record.at(index + 1) });
        } else if (frames) {
          const found = frameLine.exec(line);
          if (found) frames.push({ function: found[1]!, file: found[2]!, line: Number(found[3]) });
        }
      }
    }),
});
