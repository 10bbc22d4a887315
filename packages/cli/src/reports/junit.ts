// JUnit's XML, which every build server reads: a suite for each notebook, a test case for each cell, with its time.
import { exceptionText, textOf, visible } from '@grus/core';
import {
  crashesOf,
  type JudgedCell,
  type NotebookReport,
  type Summary,
  secondsOf,
  type UnjudgedCell,
} from '../pipeline/report.js';
import { renderVerdict } from '../render/verdict.js';
import { plainStyle } from '../terminal/style.js';
import { uriPath } from './paths.js';

export function junitReport(reports: readonly NotebookReport[], { ms }: Summary): string {
  const suites = reports.map(suiteOf);
  const total = (key: keyof Counts) => suites.reduce((sum, { counts }) => sum + counts[key], 0);
  const counts = {
    tests: total('tests'),
    failures: total('failures'),
    errors: total('errors'),
    skipped: total('skipped'),
  };
  const attributes = { name: 'grus', ...counts, time: seconds(ms / 1000) };
  const body = suites.map(({ xml }) => xml).join('\n');
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', attributes, `\n${body}\n`)}\n`;
}

interface Counts {
  readonly tests: number;
  readonly failures: number;
  readonly errors: number;
  readonly skipped: number;
}

function suiteOf(report: NotebookReport): { readonly counts: Counts; readonly xml: string } {
  const { path, cells, unjudged, problem, ms } = report;
  const file = uriPath(path);
  const cases = [
    ...cells.map((judged) => caseOf(file, judged)),
    ...unjudged.map((skipped) => skippedCase(file, skipped)),
    ...(problem === null ? [] : [problemCase(file, problem)]),
  ];
  const counts = {
    tests: cases.length,
    failures: crashesOf(report).length,
    errors: problem === null ? 0 : 1,
    skipped: unjudged.length + cells.filter(({ verdict }) => verdict.outcome === 'unknown').length,
  };
  const xml = element(
    'testsuite',
    { name: file, ...counts, time: seconds(ms / 1000) },
    `\n${cases.join('\n')}\n`,
  );
  return { counts, xml };
}

function caseOf(file: string, judged: JudgedCell): string {
  const { cell, verdict } = judged;
  const attributes = { name: `cell ${cell.number}`, classname: file, file, time: seconds(secondsOf(judged)) };
  switch (verdict.outcome) {
    case 'ok':
      return element('testcase', attributes, '');
    case 'unknown':
      return element('testcase', attributes, element('skipped', { message: verdict.explanation }, ''));
    case 'crash': {
      const { exception } = verdict;
      const message = exception ? exceptionText(exception) : 'an exception';
      const type = exception?.type ?? 'Exception';
      const story = renderVerdict(
        { verdict, subject: `cell ${cell.number}`, source: cell.source },
        plainStyle,
      );
      return element('testcase', attributes, element('failure', { message, type }, escaped(story)));
    }
  }
}

function skippedCase(file: string, { cell, reason }: UnjudgedCell): string {
  const attributes = { name: `cell ${cell.number}`, classname: file, file, time: seconds(0) };
  return element('testcase', attributes, element('skipped', { message: textOf(reason) }, ''));
}

function problemCase(file: string, problem: string): string {
  const attributes = { name: 'notebook', classname: file, file, time: seconds(0) };
  return element('testcase', attributes, element('error', { message: problem, type: 'GrusError' }, ''));
}

function element(name: string, attributes: Readonly<Record<string, string | number>>, body: string): string {
  const told = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(String(value))}"`);
  return body === '' ? `<${name}${told.join('')}/>` : `<${name}${told.join('')}>${body}</${name}>`;
}

/** XML knows no hidden characters at all, not even escaped: they are written out. */
function escaped(text: string): string {
  return visible(text).replace(/[&<>"\n\t]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function seconds(value: number): string {
  return value.toFixed(3);
}
