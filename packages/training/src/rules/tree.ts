// The improved rules: a tree of three levels walked by evidence, with confirmation by several signals, a confidence C(x)
// and abstention below 0.60 with its reason.
import type { Symptom } from '../detectors/define.js';
import type { Examination } from '../detectors/examine.js';
import { abstentionOf, commitAt, confidenceOf, hypothesesOf, round } from './confidence.js';
import type { Judgement, Method } from './diagnosis.js';
import { healthOf, outcomeOf, outcomeWithoutCause } from './outcome.js';
import { type AreaNode, type GroupNode, type LeafNode, treeNodes } from './tree-nodes.js';

const areas = treeNodes.filter((node): node is AreaNode => node.level === 1);
const groups = treeNodes.filter((node): node is GroupNode => node.level === 2);
const leaves = treeNodes.filter((node): node is LeafNode => node.level === 3);

export interface TreePath {
  readonly area: AreaNode;
  readonly group: GroupNode;
  readonly leaf: LeafNode;
  readonly symptom: Symptom;
  readonly confidence: number;
}

/** Each agreeing signal closes this share of what is missing to certainty; each contradicting one takes this share away. */
const confirmationWeight = 0.3;
const contradictionWeight = 0.1;

/** From the area with the strongest evidence down to the leaf; null when no symptom is on record. */
export function walk(examination: Examination): TreePath | null {
  const { symptoms, features } = examination;
  const scoreOf = (leaf: LeafNode): { symptom: Symptom; confidence: number } | null => {
    const symptom = symptoms.find((entry) => leaf.subcauses.includes(entry.subcause));
    if (!symptom) return null;
    let confidence = confidenceOf(symptom, symptoms);
    for (const confirmation of leaf.confirmations) {
      const answer = confirmation(features);
      if (answer === true)
        confidence += (1 - confidence) * confirmationWeight * Math.min(1, symptom.strength / 0.6);
      if (answer === false) confidence *= 1 - contradictionWeight;
    }
    return { symptom, confidence };
  };
  const scored = leaves.flatMap((leaf) => {
    const score = scoreOf(leaf);
    return score ? [{ leaf, ...score }] : [];
  });
  const best = (parent: (leaf: LeafNode) => boolean) =>
    scored.filter(({ leaf }) => parent(leaf)).sort((a, b) => b.confidence - a.confidence)[0];
  const groupOf = (leaf: LeafNode): GroupNode => groups.find((node) => node.id === leaf.parent)!;
  const area = areas
    .map((node) => ({ node, top: best((leaf) => groupOf(leaf).parent === node.id)?.confidence ?? 0 }))
    .sort((a, b) => b.top - a.top)[0]!;
  const chosen = best((leaf) => groupOf(leaf).parent === area.node.id);
  if (!chosen) return null;
  return {
    area: area.node,
    group: groupOf(chosen.leaf),
    leaf: chosen.leaf,
    symptom: chosen.symptom,
    confidence: Math.min(0.99, chosen.confidence),
  };
}

export const treeMethod: Method = { name: 'tree', judge: judgeByTree };

export function judgeByTree(examination: Examination): Judgement {
  const hypotheses = hypothesesOf(examination.symptoms);
  const path = walk(examination);
  if (path && path.confidence >= commitAt)
    return {
      outcome: outcomeOf(examination, path.symptom),
      category: path.symptom.category,
      subcause: path.symptom.subcause,
      confidence: round(path.confidence),
      onset: path.symptom.onset,
      evidence: evidenceFor(path.symptom, examination.symptoms),
      hypotheses: first(hypotheses, path),
      abstention: null,
    };
  const health = healthOf(examination);
  const doubt = path?.confidence ?? 0;
  if (health && health.confidence * (1 - 0.3 * doubt) >= commitAt)
    return {
      outcome: 'healthy',
      category: 'healthy',
      subcause: null,
      confidence: round(health.confidence * (1 - 0.3 * doubt)),
      onset: null,
      evidence: health.evidence,
      hypotheses,
      abstention: null,
    };
  return {
    outcome: outcomeWithoutCause(examination),
    category: 'unknown',
    subcause: null,
    confidence: round(doubt),
    onset: path?.symptom.onset ?? null,
    evidence: path ? evidenceFor(path.symptom, examination.symptoms) : [],
    hypotheses,
    abstention: abstentionOf(examination, hypotheses),
  };
}

/** The chosen cause leads the list, with the confidence the tree gave it. */
function first(hypotheses: Judgement['hypotheses'], path: TreePath): Judgement['hypotheses'] {
  const { category, subcause } = path.symptom;
  return [
    { category, subcause, confidence: round(path.confidence) },
    ...hypotheses.filter((entry) => entry.subcause !== subcause),
  ];
}

/** The symptom's own evidence, then that of agreeing symptoms, each fact once. */
export function evidenceFor(symptom: Symptom, symptoms: readonly Symptom[]): Judgement['evidence'] {
  const agreeing = symptoms.filter(
    (other) =>
      other.subcause === symptom.subcause || (other.category === symptom.category && other.strength > 0.5),
  );
  const seen = new Set<string>();
  return [symptom, ...agreeing]
    .flatMap((entry) => entry.evidence)
    .filter((entry) => {
      const key = `${entry.fact}|${entry.file}|${entry.line ?? ''}`;
      if (seen.has(key)) return false;
      seen.add(key);
      return true;
    })
    .slice(0, 8);
}
