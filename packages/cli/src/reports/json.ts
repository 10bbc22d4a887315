// The JSON of many notebooks, which others script against.
import { visibleJson } from '@grus/core';
import { type NotebookReport, reportAnswer, type Summary } from '../pipeline/report.js';

export function jsonReport(reports: readonly NotebookReport[], summary: Summary): string {
  return `${visibleJson(JSON.stringify({ notebooks: reports.map(reportAnswer), summary }, null, 2))}\n`;
}
