// What the column checks share: which wanted labels a frame lacks, and how to say it.
import { nearest } from '@grus/core';
import type { Literal } from '@grus/kernel/snapshot';
import type { Node } from '@grus/python';
import type { Frame } from '../../libraries/pandas/kinds.js';
import { labelsOf } from '../../libraries/pandas/labels.js';
import type { Operand } from '../../reasoning/events.js';
import { includesLiteral, listed, pythonRepr } from '../../reasoning/literals.js';
import type { CheckContext, Claim } from '../define-check.js';
import { labelEdit } from '../near-edit.js';
import { cellMakingColumn } from './making-cell.js';

/** Column labels of a frame that are all known and plain. */
export function plainLabels(frame: Frame): readonly Literal[] | undefined {
  if (!frame.columns || frame.columnLevels !== undefined) return undefined;
  const labels = frame.columns.map((column) => column.label);
  return labels.some((label) => Array.isArray(label)) ? undefined : labels;
}

/** Names of the row index, which many methods accept like columns. */
export function indexNames(frame: Frame): readonly Literal[] | undefined {
  return frame.index?.names;
}

export function wantedLabels(context: CheckContext, operand: Operand): Literal[] | undefined {
  const labels = labelsOf(context.look, (ref) => context.literal(ref), operand);
  return labels?.every((label) => typeof label === 'string' || typeof label === 'number')
    ? labels
    : undefined;
}

export function missingFrom(labels: readonly Literal[], wanted: readonly Literal[]): Literal[] {
  return wanted.filter((label) => !includesLiteral(labels, label));
}

export function columnClaim(
  context: CheckContext,
  owner: string,
  frame: Operand,
  labels: readonly Literal[],
  missing: readonly Literal[],
  what: { exception?: string; message: string; action: string; within?: Node },
): Claim {
  const known = labels.filter((label) => typeof label === 'string');
  const near = typeof missing[0] === 'string' ? nearest(missing[0], known) : [];
  const names = missing.map(pythonRepr).join(', ');
  const maker = missing.length === 1 ? cellMakingColumn(frame.node, missing[0]!, context) : undefined;
  return {
    exception: what.exception ?? 'KeyError',
    message: what.message,
    evidence: [
      {
        fact: labels.length === 0 ? `${owner} has no columns` : `${owner} has the columns ${listed(labels)}`,
        source: context.source(frame),
      },
      ...(maker
        ? [
            {
              fact: `cell ${maker.number} makes the column ${names} and ${maker.status === 'failed' ? 'failed' : 'has not been run'}`,
              source: `cell ${maker.number}`,
            },
          ]
        : []),
    ],
    explanation: `${what.action} raises ${what.exception ?? 'KeyError'}: ${owner} has no column ${names}.`,
    remedy: maker
      ? maker.status === 'failed'
        ? `Repair cell ${maker.number}, which makes the column ${names}, and run it again.`
        : `Run cell ${maker.number} first: it makes the column ${names}.`
      : near.length > 0
        ? `Did you mean ${near.map((name) => pythonRepr(name)).join(' or ')}?`
        : `Use one of the columns of ${owner}, or create ${missing.length > 1 ? 'them' : 'it'} first; a cell that was run twice may already have removed ${missing.length > 1 ? 'them' : 'it'}.`,
    ...(maker && { needs: maker.number }),
    ...(what.within && !maker && missing.length === 1
      ? labelEdit(context, what.within, missing[0], near)
      : {}),
  };
}
