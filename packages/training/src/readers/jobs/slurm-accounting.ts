// What `sacct` prints: a table of jobs and steps, with columns parted by bars (--parsable) or set under a row of dashes.
import type { ExitReason } from '../../record/exit.js';
import { endingOfCode, signalNames } from '../console/failures/ending.js';
import { defineReader, wholeFile } from '../reader.js';

const largest = 4 * 1024 * 1024;

/** The states of Slurm's job_states that end a job, by what they mean for a run. */
const states: Readonly<Record<string, ExitReason>> = {
  COMPLETED: 'completed',
  FAILED: 'failed',
  BOOT_FAIL: 'node_failure',
  CANCELLED: 'cancelled',
  DEADLINE: 'timeout',
  NODE_FAIL: 'node_failure',
  OUT_OF_MEMORY: 'out_of_memory',
  PREEMPTED: 'preempted',
  REVOKED: 'preempted',
  TIMEOUT: 'timeout',
};

export const slurmAccounting = defineReader({
  id: 'slurm-accounting',
  title: 'accounting of Slurm',
  rewritten: true,
  fidelity: 0,
  matches: ({ text }) => /^\s*JobID(?:Raw)?\b[| ].*\bState\b.*\bExitCode\b/m.test(text.slice(0, 2000)),
  open: (record) =>
    wholeFile(record, largest, (text) => {
      const rows = rowsOf(text);
      // The job itself speaks for its steps, unless only a step failed. A narrow column cuts their names: "7.ext+".
      const told = rows.filter(
        ({ cells }) => !/\.(?:batch|extern|[be]\w*\+)$/.test(cells.get('jobid') ?? ''),
      );
      // A job that was queued again has a row for each time: the last one is how it ended.
      const shown = told.filter(
        ({ cells }, at) =>
          !told.slice(at + 1).some((later) => later.cells.get('jobid') === cells.get('jobid')),
      );
      for (const { cells, line } of shown) {
        for (const host of hostsOf(cells.get('nodelist') ?? '')) record.hosts.add(host);
        const state = /^[A-Z_]+/.exec(cells.get('state') ?? '')?.[0] ?? '';
        const reason = states[state];
        if (reason === undefined) continue;
        const [code = 0, signal = 0] = (cells.get('exitcode') ?? '').split(':').map(Number);
        const named = signal > 0 ? (signalNames[signal] ?? `signal ${signal}`) : null;
        record.exit({
          ...endingOfCode('slurm', code),
          source: 'slurm',
          reason: reason === 'failed' && named !== null ? 'signal' : reason,
          code,
          signal: named,
          rank: null,
          text: `${cells.get('jobid')} ${cells.get('state')} ${cells.get('exitcode')}`,
          at: record.at(line),
          time: Date.parse(cells.get('end') ?? '') || null,
          step: null,
        });
      }
    }),
});

interface Row {
  readonly cells: ReadonlyMap<string, string>;
  readonly line: number;
}

function rowsOf(text: string): Row[] {
  const lines = text.split(/\r?\n/);
  const at = lines.findIndex((line) => /^\s*JobID(?:Raw)?\b/.test(line));
  const header = lines[at] ?? '';
  const isParsed = header.includes('|');
  const isRuled = /^[\s-]*--[\s-]*$/.test(lines[at + 1] ?? '');
  const dashes = [...(lines[at + 1] ?? '').matchAll(/-+/g)].map(({ index, 0: run }) => [
    index,
    index + run.length,
  ]);
  const cut = (line: string): string[] => {
    if (isParsed) return line.split('|');
    return isRuled ? dashes.map(([from, to]) => line.slice(from, to)) : line.trim().split(/\s{2,}/);
  };
  const names = cut(header).map((name) => name.trim().toLowerCase().replace(/raw$/, ''));
  const from = at + (isParsed || !isRuled ? 1 : 2);
  return lines.slice(from).flatMap((line, index) => {
    if (line.trim() === '') return [];
    const cells = new Map(cut(line).map((cell, column) => [names[column] ?? '', cell.trim()]));
    return [{ cells, line: from + index + 1 }];
  });
}

/** "node[01-03,07],login" is node01, node02, node03, node07 and login. */
export function hostsOf(list: string): string[] {
  return [...list.matchAll(/([^,[\]\s]+)(?:\[([\d,-]+)\])?/g)].flatMap(([, name = '', spans]) => {
    if (spans === undefined) return /^(?:None|\(null\)|assigned)$/.test(name) ? [] : [name];
    return spans.split(',').flatMap((span) => {
      const [from = '', to = from] = span.split('-');
      const count = Math.min(Number(to) - Number(from) + 1, 10_000);
      return Array.from(
        { length: Math.max(count, 0) },
        (_, step) => `${name}${String(Number(from) + step).padStart(from.length, '0')}`,
      );
    });
  });
}
