// Compares runs with the first of them: what differs, and which difference explains how they ended.
import { visibleIn } from '@grus/core';
import { compareJudged, diagnose, type RunComparison } from '@grus/training';
import { type RunFiles, readRunFiles } from './judge.js';

/** The likeliest to matter come first. */
const mostDifferences = 1_000;

export async function compare([first, ...others]: readonly RunFiles[]): Promise<RunComparison[]> {
  const before = await judgedRecord(first!);
  const comparisons: RunComparison[] = [];
  for (const other of others) {
    const comparison = compareJudged(before, await judgedRecord(other));
    comparisons.push({ ...comparison, differences: comparison.differences.slice(0, mostDifferences) });
  }
  return visibleIn(comparisons);
}

async function judgedRecord(run: RunFiles) {
  const record = await readRunFiles(run);
  return { record, diagnosis: await diagnose(record) };
}
