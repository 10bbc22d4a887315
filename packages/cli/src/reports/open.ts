// Where the reports of many notebooks go: text for people to stdout as the notebooks are done, every other format at the
// end, to its file or to stdout.
import { writeFile } from 'node:fs/promises';
import { GrusError } from '@grus/core';
import { assertWritable } from '@grus/notebook';
import type { CheckFlags } from '../options/check.js';
import type { Format, FormatName } from '../options/pipeline.js';
import type { NotebookReport, Summary } from '../pipeline/report.js';
import { plainStyle, styleFor } from '../terminal/style.js';
import { githubReport } from './github.js';
import { jsonReport } from './json.js';
import { junitReport } from './junit.js';
import { markdownReport } from './markdown.js';
import { sarifReport } from './sarif.js';
import { textOfNotebook, textOfSummary, textReport } from './text.js';

type Writer = (reports: readonly NotebookReport[], summary: Summary) => string;

export const writers: Readonly<Record<FormatName, Writer>> = {
  text: (reports, summary) => textReport(reports, summary, plainStyle),
  json: jsonReport,
  sarif: sarifReport,
  junit: junitReport,
  github: githubReport,
  markdown: markdownReport,
};

/** Those that can stand in one log: annotations are lines of their own, which the code host takes out. */
const shareable: ReadonlySet<FormatName> = new Set(['text', 'github']);

export interface OpenReports {
  notebook(report: NotebookReport): void;
  end(reports: readonly NotebookReport[], summary: Summary): Promise<void>;
}

export async function openReports(flags: CheckFlags): Promise<OpenReports> {
  const { streams, write } = await openFormats(flags);
  const style = styleFor(process.stdout);
  return {
    notebook(report) {
      if (streams) process.stdout.write(textOfNotebook(report, style));
    },
    async end(reports, summary) {
      if (streams) process.stdout.write(textOfSummary(summary, style));
      await write((name) => writers[name](reports, summary));
    },
  };
}

export interface OpenFormats {
  /** Text goes to stdout as it comes; `write` leaves it out there. */
  readonly streams: boolean;
  readonly write: (textIn: (name: FormatName) => string) => Promise<void>;
}

/** The formats that were asked for; what cannot be written is told before any work is done. */
export async function openFormats(flags: Pick<CheckFlags, 'format' | 'json'>): Promise<OpenFormats> {
  const asked: readonly Format[] = [
    ...(flags.format ?? []),
    ...(flags.json ? [{ name: 'json', file: null } as const] : []),
  ];
  const shown = asked.filter(({ file }) => file === null);
  if (shown.length > 1 && !shown.every(({ name }) => shareable.has(name)))
    throw new GrusError(`${shown.map(({ name }) => name).join(' and ')} cannot share stdout`, {
      advice: `Give all but one a file, such as --format ${shown[0]!.name}=FILE.`,
    });
  for (const { file } of asked) if (file !== null) await assertWritable(file);
  return {
    streams: shown.length === 0 || shown.some(({ name }) => name === 'text'),
    async write(textIn) {
      for (const { name, file } of asked) {
        if (file !== null) await writeFile(file, textIn(name));
        else if (name !== 'text') process.stdout.write(textIn(name));
      }
    },
  };
}
