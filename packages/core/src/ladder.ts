// Climbs the rungs from the cheapest to the dearest and stops at the first that commits.
import type { Evidence } from './evidence.js';
import type { Finding } from './finding.js';
import type { Reason } from './reasons/reason.js';
import { abstention, quietVerdict, type RungReport, type Verdict } from './verdict.js';

export type RungResult =
  | { readonly outcome: 'crash'; readonly findings: readonly [Finding, ...Finding[]] }
  | {
      readonly outcome: 'ok';
      readonly confidence: number;
      readonly evidence: readonly Evidence[];
      readonly explanation: string;
    }
  | { readonly outcome: 'unknown'; readonly reason: Reason };

export interface Rung<Context> {
  readonly name: string;
  run(context: Context, earlier: readonly RungReport[]): Promise<RungResult>;
}

/** Runs the rungs in order. A rung that throws is an abstention with a report, never a broken check. */
export async function climb<Context>(rungs: readonly Rung<Context>[], context: Context): Promise<Verdict> {
  const started = performance.now();
  const reports: RungReport[] = [];
  for (const rung of rungs) {
    const rungStarted = performance.now();
    const result = await attempt(rung, context, reports);
    reports.push({
      rung: rung.name,
      outcome: result.outcome,
      ms: round(performance.now() - rungStarted),
      ...abstention(result.outcome === 'unknown' ? result.reason : null),
    });
    if (result.outcome !== 'unknown')
      return verdictOf(rung.name, result, reports, performance.now() - started);
  }
  return verdictOf(null, { outcome: 'unknown' }, reports, performance.now() - started);
}

async function attempt<Context>(
  rung: Rung<Context>,
  context: Context,
  earlier: readonly RungReport[],
): Promise<RungResult> {
  try {
    return await rung.run(context, earlier);
  } catch (error) {
    const reason = { code: 'rung-failed', rung: rung.name, error: errorText(error) } as const;
    return { outcome: 'unknown', reason };
  }
}

function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function verdictOf(
  rung: string | null,
  result: Exclude<RungResult, { outcome: 'unknown' }> | { readonly outcome: 'unknown' },
  rungs: readonly RungReport[],
  ms: number,
): Verdict {
  const shared = { rung, rungs, ms: round(ms) };
  switch (result.outcome) {
    case 'crash': {
      const [first] = result.findings;
      return {
        ...shared,
        outcome: 'crash',
        confidence: first.confidence,
        exception: first.exception,
        line: first.place.line,
        evidence: first.evidence,
        explanation: first.explanation,
        remedy: first.remedy,
        findings: result.findings,
      };
    }
    case 'ok':
      return {
        ...shared,
        ...quietVerdict('ok', result.confidence, result.explanation),
        evidence: result.evidence,
        findings: [],
      };
    case 'unknown':
      return { ...shared, ...quietVerdict('unknown', 0, 'No rung found a certain crash.'), findings: [] };
  }
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}
