// SARIF 2.1.0, which code hosts show beside the change: a result for each crash, at its line of the notebook file and with
// the cell as logical place. Rules are described by their pages.
import { createHash } from 'node:crypto';
import { exceptionText, textOf, visibleIn } from '@grus/core';
import { pages } from '../generated/pages.js';
import { version } from '../generated/version.js';
import { crashesOf, type JudgedCell, type NotebookReport, type Summary } from '../pipeline/report.js';
import { fileUri, uriPath } from './paths.js';

/** Code hosts take no more of one run. */
const mostResults = 5_000;
/** A crash that was met when the cell was run; it has no page, because nothing predicted it. */
const met = { id: 'execution/exception', title: 'A crash that came when the cell was run' };

export function sarifReport(reports: readonly NotebookReport[], { problems }: Summary): string {
  const found = reports.flatMap((report) => crashesOf(report).map((judged) => ({ report, judged })));
  const kept = found.slice(0, mostResults);
  const ids = [...new Set(kept.map(({ judged }) => ruleOf(judged)))].sort();
  const seen = new Map<string, number>();
  const results = kept.map(({ report, judged }) => resultOf(report, judged, ids, seen));
  const left = found.length - kept.length;
  const notifications = [
    ...reports.flatMap(notificationsOf),
    ...(left > 0 ? [{ level: 'warning', message: { text: `${left} more were found.` } }] : []),
  ];
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Grus', version, semanticVersion: version, rules: ids.map(ruleFor) } },
        invocations: [{ executionSuccessful: problems === 0, toolExecutionNotifications: notifications }],
        columnKind: 'unicodeCodePoints',
        results,
      },
    ],
  };
  return `${JSON.stringify(visibleIn(log), null, 2)}\n`;
}

function ruleOf({ verdict }: JudgedCell): string {
  return verdict.findings[0]?.check ?? met.id;
}

function ruleFor(id: string) {
  const page = pages.find((candidate) => candidate.id === id);
  const title = page?.title ?? met.title;
  const what = page && /^## What\n([\s\S]*?)(?=\n## |$)/m.exec(page.text)?.[1]?.trim();
  return {
    id,
    name: id.replaceAll(/(?:^|[/-])(\w)/g, (_, letter: string) => letter.toUpperCase()),
    shortDescription: { text: title },
    fullDescription: { text: what ?? title },
    ...(page && { help: { text: page.text, markdown: page.text } }),
    defaultConfiguration: { level: 'error' },
    properties: { tags: ['notebook', id.split('/')[0]!], precision: 'very-high' },
  };
}

function resultOf(
  { path }: NotebookReport,
  judged: JudgedCell,
  rules: readonly string[],
  seen: Map<string, number>,
) {
  const { cell, verdict, fileLine } = judged;
  const { exception, explanation, remedy, confidence } = verdict;
  const rule = ruleOf(judged);
  const what = exception ? exceptionText(exception) : 'an exception';
  const place = `cell ${cell.number}`;
  return {
    ruleId: rule,
    ruleIndex: rules.indexOf(rule),
    level: 'error',
    rank: Math.round(confidence * 100),
    message: { text: [`${place} would crash: ${what}`, explanation, remedy].filter(Boolean).join('\n') },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: fileUri(path) },
          region: { startLine: fileLine ?? 1 },
        },
        logicalLocations: [{ name: place, fullyQualifiedName: `${uriPath(path)}, ${place}` }],
      },
    ],
    partialFingerprints: { 'grusCrash/v1': fingerprintOf(path, judged, rule, seen) },
  };
}

/** The same crash keeps it when cells or lines are added around it: neither numbers nor messages are part of it. */
function fingerprintOf(path: string, { cell, verdict }: JudgedCell, rule: string, seen: Map<string, number>) {
  const line = cell.source.split('\n')[(verdict.line ?? 1) - 1]?.trim() ?? '';
  const parts = [uriPath(path), rule, verdict.exception?.type ?? '', line].join('\0');
  const times = (seen.get(parts) ?? 0) + 1;
  seen.set(parts, times);
  return createHash('sha256').update(`${parts}\0${times}`).digest('hex').slice(0, 32);
}

function notificationsOf({ path, problem, unjudged }: NotebookReport) {
  const at = [{ physicalLocation: { artifactLocation: { uri: fileUri(path) } } }];
  return [
    ...(problem === null ? [] : [{ level: 'error', message: { text: problem }, locations: at }]),
    ...unjudged.map(({ cell, reason }) => ({
      level: 'note',
      message: { text: `cell ${cell.number} was not judged: ${textOf(reason)}` },
      locations: at,
    })),
  ];
}
