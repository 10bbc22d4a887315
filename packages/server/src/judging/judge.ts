// Judges the files of one run and keeps what pages show of it: the verdict, the curves, and what is known of the run.
import { visibleIn } from '@grus/core';
import {
  type Diagnosis,
  diagnose,
  headline,
  type Lane,
  lanesOf,
  type Panel,
  panelsOf,
  pictureOf,
  type RunRecord,
  readFiles,
  whoActs,
} from '@grus/training';
import { factsOf, type RunFacts } from './facts.js';

export interface RunFiles {
  readonly name: string;
  /** Each as the run calls it, and where its bytes are. */
  readonly files: readonly { readonly path: string; readonly absolute: string; readonly size: number }[];
}

/** What pages show beside the verdict. */
export interface Shown {
  readonly headline: string;
  readonly actor: string | null;
  readonly panels: readonly Panel[];
  readonly ranks: readonly string[];
  readonly lanes: readonly Lane[];
  readonly facts: RunFacts;
}

export interface Judged {
  readonly verdict: Diagnosis;
  readonly shown: Shown;
}

const mostPoints = 1_000;

export async function judge(run: RunFiles): Promise<Judged> {
  const started = performance.now();
  const record = await readRunFiles(run);
  const verdict = visibleIn(await diagnose(record, {}, started));
  return { verdict, shown: visibleIn(shownOf(verdict, record)) };
}

export function readRunFiles({ name, files }: RunFiles): Promise<RunRecord> {
  return readFiles({ path: name, files: files.map((file) => ({ ...file, modified: 0 })) });
}

function shownOf(verdict: Diagnosis, record: RunRecord): Shown {
  const { ranks } = verdict;
  return {
    headline: headline(verdict),
    actor: whoActs(verdict),
    panels: panelsOf(record)
      .filter(({ curves }) => curves.length > 0)
      .map((panel) => ({ ...panel, curves: panel.curves.map(thinned) })),
    ranks: ranks ? pictureOf(ranks) : [],
    lanes: ranks?.first ? lanesOf(ranks, record.dumps) : [],
    facts: factsOf(record),
  };
}

/** Every n-th point, and the last. */
function thinned<Curve extends Panel['curves'][number]>(curve: Curve): Curve {
  const stride = Math.ceil(curve.steps.length / mostPoints);
  if (stride <= 1) return curve;
  const kept = (_: number, at: number): boolean => at % stride === 0 || at === curve.steps.length - 1;
  return { ...curve, steps: curve.steps.filter(kept), values: curve.values.filter(kept) };
}
