// What the product would lose without its hand-written rules: every state is judged with all of them, then without each
// group that answered there, and, where that made a difference, without each single rule. A rule that did not answer for a
// cell cannot have changed its verdict, so it is not tried.
import type { Verdict } from '@grus/core';
import { libraries, NotebookSession, registerLibraries } from '@grus/notebook';
import { Junobench } from '../junobench/data/load.js';
import { ladderPrediction } from '../junobench/methods/ladder.js';
import { loadPairs, pairVersions, targetCell } from '../live/load.js';
import { liveMethods } from '../live/methods.js';
import { withScratchKernel } from '../live/scratch-kernel.js';
import { observed, type Rule, without } from './rules.js';

export interface AblationOptions {
  /** Folder of live pairs; left out: none are judged. */
  readonly pairs?: string;
  /** Folder of JunoBench; left out: none of it is judged. */
  readonly junobench?: string;
  /** Judge every n-th pair of the folder only. Default 1. */
  readonly every?: number;
  /** Interpreter for the kernels of the live pairs. */
  readonly python: string;
  readonly progress?: (text: string) => void;
}

/** `lost`: a crash is not found any more. `changed`: it is told differently. `gained` and `alarm`: one is told in its stead. */
export type Effect = 'lost' | 'changed' | 'gained' | 'alarm';

/** `live`: with questions to the libraries in a copy. `no-copy`: where none can be made, or nobody waits. `junobench`: recorded facts. */
export const ablationData = ['live', 'no-copy', 'junobench'] as const;
export type AblationData = (typeof ablationData)[number];

export interface Difference {
  readonly data: AblationData;
  readonly instance: string;
  /** A group, or a single rule of it. */
  readonly off: string;
  readonly effect: Effect;
}

export interface RuleUse {
  readonly group: string;
  /** Instances for which the rule answered. */
  readonly answered: Readonly<Record<AblationData, number>>;
}

export interface AblationReport {
  readonly benchmark: 'ablation';
  readonly instances: Readonly<Record<AblationData, number>>;
  /** Every rule there is, by name. */
  readonly rules: Readonly<Record<string, RuleUse>>;
  readonly differences: readonly Difference[];
}

type Said = Pick<Verdict, 'outcome' | 'exception' | 'line'>;

interface Subject {
  readonly data: AblationData;
  readonly instance: string;
  readonly crashes: boolean;
  readonly judge: () => Promise<Said>;
}

export async function runAblation(options: AblationOptions): Promise<AblationReport> {
  const none = (): Record<AblationData, number> => ({ live: 0, 'no-copy': 0, junobench: 0 });
  const rules = new Map(allRules().map(({ name, group }) => [name, { group, answered: none() }]));
  const differences: Difference[] = [];
  const instances = none();
  const study = async (subject: Subject) => {
    options.progress?.(`${subject.data} ${subject.instance}`);
    instances[subject.data]++;
    const { said, used } = await judgedWithAll(subject);
    for (const { name } of used) rules.get(name)!.answered[subject.data]++;
    differences.push(...(await differencesOf(subject, said, used)));
  };
  try {
    if (options.junobench !== undefined)
      for (const subject of recorded(Junobench.load(options.junobench))) await study(subject);
    if (options.pairs !== undefined) await studyPairs(options.pairs, options, study);
  } finally {
    registerLibraries(libraries);
  }
  return { benchmark: 'ablation', instances, rules: Object.fromEntries(rules), differences };
}

function allRules(): Rule[] {
  const all: Rule[] = [];
  without(libraries, (rule) => {
    all.push(rule);
    return false;
  });
  return all;
}

function recorded(bench: Junobench): Subject[] {
  return bench.instances.map((instance) => ({
    data: 'junobench',
    instance: instance.id,
    crashes: instance.crashes,
    judge: () => ladderPrediction(bench.text(instance), ['names', 'contracts']),
  }));
}

async function studyPairs(
  folder: string,
  { every = 1, python }: AblationOptions,
  study: (subject: Subject) => Promise<void>,
): Promise<void> {
  const pairs = (await loadPairs(folder)).filter((_, index) => index % every === 0);
  for (const pair of pairs)
    for (const version of pairVersions)
      await withScratchKernel(python, async (kernel) => {
        const session = new NotebookSession(kernel, pair.cells[version]);
        const target = targetCell(pair, version);
        await session.replayUpTo(target);
        const shared = { instance: `${pair.id}/${version}`, crashes: version === 'buggy' };
        await study({ data: 'live', ...shared, judge: () => liveMethods.contracts(session, target) });
        await study({ data: 'no-copy', ...shared, judge: () => session.check(target, { inquiryMs: 0 }) });
      });
}

async function judgedWithAll({ judge }: Subject): Promise<{ said: Said; used: readonly Rule[] }> {
  const used = new Map<string, Rule>();
  registerLibraries(observed(libraries, (rule) => used.set(rule.name, rule)));
  return { said: await judge(), used: [...used.values()] };
}

async function differencesOf(subject: Subject, said: Said, used: readonly Rule[]): Promise<Difference[]> {
  const found: Difference[] = [];
  const { data, instance } = subject;
  for (const group of new Set(used.map((rule) => rule.group))) {
    const effect = await effectOf(subject, said, (rule) => rule.group === group);
    if (effect === null) continue;
    found.push({ data, instance, off: group, effect });
    for (const { name } of used.filter((rule) => rule.group === group)) {
      const single = await effectOf(subject, said, (rule) => rule.name === name);
      if (single !== null) found.push({ data, instance, off: name, effect: single });
    }
  }
  return found;
}

/** A difference counts when it shows twice: what a busy machine leaves unasked is no loss. */
async function effectOf(
  { judge, crashes }: Subject,
  said: Said,
  isOff: (rule: Rule) => boolean,
): Promise<Effect | null> {
  registerLibraries(without(libraries, isOff));
  const once = effect(crashes, said, await judge());
  return once === null ? null : effect(crashes, said, await judge());
}

function effect(crashes: boolean, before: Said, after: Said): Effect | null {
  if (after.outcome !== 'crash') return before.outcome === 'crash' ? 'lost' : null;
  if (before.outcome !== 'crash') return crashes ? 'gained' : 'alarm';
  const same =
    before.line === after.line &&
    before.exception?.type === after.exception?.type &&
    before.exception?.message === after.exception?.message;
  return same ? null : 'changed';
}
