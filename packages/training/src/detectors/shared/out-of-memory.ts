// Device memory running out, read once: the numbers of the sentence, the phase the run was in, and which kind it is.
// The kinds exclude each other, so that each kind's detector speaks only when the rest is less likely.

import { finiteValues } from '../../features/curve.js';
import { continuedAfter, wentOnBehind } from '../../features/ending.js';
import type { Failure } from '../../features/failures.js';
import { growthOf, memoryCurve } from '../../features/memory.js';
import { grew, memoryGrowth } from '../../features/memory-growth.js';
import { once } from '../../features/once.js';
import { median, monotonicity } from '../../features/robust.js';
import type { RunView } from '../../features/view.js';
import { hostsIn, ranksOn, sizeOf } from '../../ranks/present/presence.js';
import { figure, gibibytes } from '../../record/figures.js';
import type { OutOfMemoryMessage, RunRecord } from '../../record/run-record.js';
import type { Observation, RunEvidence } from '../define.js';
import { citeDevice, citeFailure, citePoint } from './cite.js';
import { findFailure, pathOf, placeWeight } from './match.js';

export const outOfMemoryText =
  /CUDA out of memory|HIP out of memory|XPU out of memory|MPS backend out of memory|CUDA error: out of memory|CUBLAS_STATUS_ALLOC_FAILED|CUDNN_STATUS_ALLOC_FAILED|OOM when allocating tensor|RESOURCE_EXHAUSTED|OutOfMemoryError: (CUDA|Tried)/;

export type OutOfMemoryKind =
  | 'impossible'
  | 'other_process'
  | 'fragmentation'
  | 'leak'
  | 'evaluation'
  | 'optimizer'
  | 'long_batch'
  | 'capacity';

export interface OutOfMemory {
  readonly kind: OutOfMemoryKind;
  readonly step: number | null;
  readonly evidence: readonly RunEvidence[];
  readonly order: number;
  readonly weight: number;
}

export const outOfMemory = once(read);

/** What the detector of one kind observes: nothing unless the run's out-of-memory is of this kind. */
export function ofKind(view: RunView, kind: OutOfMemoryKind, strength: number): Observation[] {
  const found = outOfMemory(view);
  if (found?.kind !== kind) return [];
  return [
    {
      strength: strength * found.weight,
      onset: found.step,
      evidence: found.evidence,
      ...(found.order > 0 ? { role: 'cascade' as const } : {}),
    },
  ];
}

function read(view: RunView): OutOfMemory | null {
  if (view.ending.kind === 'completed') return null;
  const failure = findFailure(view, outOfMemoryText, (found) => !continuedAfter(view.record, found));
  const messages = view.record.device.filter(
    (entry): entry is OutOfMemoryMessage => entry.kind === 'cuda_oom',
  );
  const message = failure ? messages[0] : messages.find((told) => !survived(view, told));
  if (!failure && (!message || view.failures.some(({ text }) => outOfMemoryText.test(text)))) return null;
  const step = failure?.step ?? message?.step ?? view.record.lastStep;
  const base = failure ? [citeFailure(failure)] : message ? [citeDevice(message)] : [];
  const { kind, evidence } = classify(view, failure, message ?? null, step);
  return {
    kind,
    step,
    evidence: [...base, ...evidence],
    order: failure?.order ?? 0,
    weight: failure ? placeWeight(failure) : 0.95,
  };
}

/** `bank = torch.cat([bank, new])`: what was to be appended to found no room any more. */
const appendsToItself =
  /^\s*([A-Za-z_][\w.]*)\s*=\s*[\w.]*\b(?:cat|concat|stack|vstack|hstack)\w*\(\s*[[(]\s*\1\b/;

/** Some loops catch the error, skip the batch and go on; and some programs are started again when the device is free. */
function survived({ record }: RunView, message: OutOfMemoryMessage): boolean {
  const { step, at } = { ...message, ...message.again };
  return (
    (step !== null && record.lastStep !== null && record.lastStep > step + 5) || wentOnBehind(record, at)
  );
}

function classify(
  view: RunView,
  failure: Failure | null,
  message: OutOfMemoryMessage | null,
  step: number | null,
): { kind: OutOfMemoryKind; evidence: RunEvidence[] } {
  const numbers = message ? byNumbers(view.record, message) : null;
  const leak = growing(view);
  // What grows step by step leaves holes behind it: the growth is the cause, the holes follow.
  if (numbers && !(numbers.kind === 'fragmentation' && leak)) return numbers;
  const longer = lengthening(view);
  if (leak)
    return longer ? { kind: 'long_batch', evidence: [longer, leak] } : { kind: 'leak', evidence: [leak] };
  const path = failure ? pathOf(failure) : '';
  if (
    /\b(evaluate|evaluation_loop|validation_step|validate|eval_loop|run_eval|predict|generate)\b/i.test(path)
  )
    return { kind: 'evaluation', evidence: [] };
  const innermost = path.split('\n').slice(-3).join('\n');
  if (appendsToItself.test(failure?.frames.at(-1)?.code ?? '')) return { kind: 'leak', evidence: [] };
  if (/_init_group|exp_avg|optim\/\w+\.py/.test(innermost)) return { kind: 'optimizer', evidence: [] };
  const long = longBatch(view);
  if (long) return { kind: 'long_batch', evidence: [long] };
  const points = view.curve('loss')?.length ?? 0;
  const late = points >= 5 && (step ?? points) >= 20;
  if (!late || /load|from_pretrained|\.to\(|\.cuda\(/.test(innermost))
    return { kind: 'capacity', evidence: [] };
  return { kind: filledSlowly(message) ? 'leak' : 'long_batch', evidence: [] };
}

/** After many good steps a request that is tiny beside what is held found no room: the device filled up little by little. */
function filledSlowly(message: OutOfMemoryMessage | null): boolean {
  if (message === null || message.requested === null || message.allocated === null) return false;
  return message.requested < 0.05 * message.allocated;
}

function byNumbers(
  record: RunRecord,
  message: OutOfMemoryMessage,
): { kind: OutOfMemoryKind; evidence: RunEvidence[] } | null {
  const { requested, total, allocated, reserved, free, otherProcesses, process } = message;
  const cite = (fact: string): RunEvidence => ({ ...citeDevice(message), fact });
  if (requested !== null && total !== null && requested > total)
    return {
      kind: 'impossible',
      evidence: [cite(`one request of ${gibibytes(requested)} on a device of ${gibibytes(total)}`)],
    };
  if (total !== null) {
    const own = process ?? reserved ?? allocated;
    // In a container the run's own process goes by another number.
    const foreign =
      free !== null && own !== null
        ? total - free - own
        : otherProcesses.reduce((sum, held) => sum + held, 0);
    const isMuch = foreign > 0.2 * total && foreign > 2 ** 30;
    if (isMuch && areItsRanks(record, message, own))
      return {
        kind: 'capacity',
        evidence: [
          cite(
            `${otherProcesses.length} more processes hold about as much: as many as the run has other ranks`,
          ),
        ],
      };
    if (isMuch)
      return {
        kind: 'other_process',
        evidence: [cite(`other processes hold ${gibibytes(foreign)} of ${gibibytes(total)}`)],
      };
  }
  if (requested !== null && reserved !== null && allocated !== null) {
    const idle = reserved - allocated;
    if (idle >= requested && idle >= 0.1 * reserved)
      return {
        kind: 'fragmentation',
        evidence: [
          cite(`${gibibytes(idle)} reserved but unused, yet ${gibibytes(requested)} could not be had`),
        ],
      };
  }
  return null;
}

/** How far apart what the ranks hold of one device may be. */
const alike = 1.25;

/**
 * As many other processes as the run has other ranks on its host, and each holds as much as this one: all of them went to one device. A
 * single one may as well be left of an earlier run.
 */
function areItsRanks(
  record: RunRecord,
  { rank, otherProcesses: others }: OutOfMemoryMessage,
  own: number | null,
): boolean {
  const hosts = hostsIn(record);
  const host = rank === null ? undefined : hosts.get(rank);
  const isOneHost = new Set(hosts.values()).size < 2;
  const here = isOneHost ? sizeOf(record) : host === undefined ? 0 : ranksOn(record, host).length;
  return (
    own !== null &&
    others.length > 1 &&
    others.length === here - 1 &&
    Math.max(own, ...others) < alike * Math.min(own, ...others)
  );
}

function growing(view: RunView): RunEvidence | null {
  const curve = memoryCurve(view);
  const growth = curve ? growthOf(curve) : null;
  if (!curve || !growth || !grew(growth, memoryGrowth.beforeTheEnd)) return null;
  return citePoint(
    curve,
    curve.finite[0]!,
    `${curve.name} grew steadily by ${Math.round(growth.growth * 100)} % (from ${gibibytes(finiteValues(curve)[0]!)} to ${gibibytes(finiteValues(curve).at(-1)!)})`,
  );
}

/** Batches that become longer from step to step need more from step to step. */
function lengthening(view: RunView): RunEvidence | null {
  const curve = view.curve('sequence_length');
  if (!curve || curve.finite.length < 8) return null;
  const values = finiteValues(curve);
  if (monotonicity(values) < 0.8 || values.at(-1)! < 1.5 * values[0]!) return null;
  return citePoint(
    curve,
    curve.finite.at(-1)!,
    `${curve.name} rose from ${figure(values[0]!)} to ${figure(values.at(-1)!)}`,
  );
}

function longBatch(view: RunView): RunEvidence | null {
  const curve = view.curve('sequence_length');
  if (!curve || curve.finite.length < 4) return null;
  const values = finiteValues(curve);
  const usual = median(values.slice(0, -1));
  const last = values.at(-1)!;
  if (last < 1.5 * usual) return null;
  return citePoint(
    curve,
    curve.finite.at(-1)!,
    `the last batch had length ${figure(last)}, usually ${figure(usual)}`,
  );
}
