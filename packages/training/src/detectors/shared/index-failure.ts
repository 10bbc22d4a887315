// Lookups out of range, on the CPU and behind device-side asserts: which table it was, read from the kernel's own line
// or from the frames of the traceback, and never from the misleading error that follows on the device.

import type { Failure } from '../../features/failures.js';
import type { RunView } from '../../features/view.js';
import type { DeviceAssertMessage } from '../../record/run-record.js';
import type { RunEvidence } from '../define.js';
import { citeFailure } from './cite.js';
import { findFailure, findSuspect, pathOf, wasHandled } from './match.js';

export interface IndexFailure {
  readonly table: 'token' | 'position' | 'label' | 'unknown';
  readonly strength: number;
  readonly step: number | null;
  readonly message: DeviceAssertMessage | null;
  readonly evidence: readonly RunEvidence[];
}

const followers =
  /device-side assert triggered|CUBLAS_STATUS_(NOT_INITIALIZED|EXECUTION_FAILED|INTERNAL_ERROR)|CUDNN_STATUS_\w+|CUDA error/;
const hostLookup =
  /index out of range in self|Index \d+ of input takes value -?\d+ which is not in the valid range \[0, \d+\)|Expected idx >= 0 && idx < num_embeddings|indices\[[\d, ]+\] = -?\d+ is not in \[0, ?\d+\)|index -?\d+ is out of bounds for (dimension|axis) \d+ with size \d+/i;

/** Frames of the framework's own call machinery, which say nothing about whose table it was. */
const machinery = /torch\/(nn|_|utils|autograd)|\/python3[\d.]*\/(?!site-packages)|_call_impl|_wrapped_call/;

const positionCode =
  /wpe|position_embedding|pos_emb|position_ids|embed_positions|pos_table|positional|\bpositions?\b|\bpos\b/i;
const tokenCode = /wte|embed|tok_emb|token|vocab|input_ids|F\.embedding/i;
const labelCode = /nll_loss|cross_entropy|criterion|loss_fn|one_hot|scatter|gather/i;

export function indexFailure(view: RunView): IndexFailure | null {
  if (view.ending.kind === 'completed') return null;
  const message =
    view.record.device.find((entry): entry is DeviceAssertMessage => entry.kind === 'device_assert') ?? null;
  const follower = findFailure(view, followers);
  if (message) {
    const table = tableOfAssert(message, follower ? pathOf(follower) : '');
    return {
      table,
      strength: table === 'unknown' ? 0.78 : 0.96,
      step: message.step,
      message,
      evidence: follower ? [citeFailure(follower)] : [],
    };
  }
  const ended = (failure: Failure): boolean => !wasHandled(view, failure);
  const asserted = findFailure(view, /device-side assert triggered/, ended);
  if (asserted)
    return {
      table: labelCode.test(pathOf(asserted)) ? 'label' : 'unknown',
      strength: 0.76,
      step: asserted.step,
      message: null,
      evidence: [citeFailure(asserted)],
    };
  const host = findFailure(view, hostLookup, ended) ?? findSuspect(view, hostLookup);
  if (!host) return null;
  const fromPath = tableOfFrames(pathOf(host));
  const table = fromPath === 'unknown' && namesEmbedding(view, host) ? 'token' : fromPath;
  return table === 'unknown' && !/in self/.test(host.text)
    ? null
    : {
        table,
        strength: table === 'unknown' ? 0.75 : 0.94,
        step: host.step,
        message: null,
        evidence: [citeFailure(host)],
      };
}

/** TensorFlow names the operation of its graph before or behind the message. */
const namedNode = /\bnode:? \S*embedding/i;
function namesEmbedding({ lines }: RunView, { text, at }: Failure): boolean {
  const isNear = (line?: number): boolean => Math.abs((line ?? Number.NaN) - (at.line ?? 0)) <= 30;
  return namedNode.test(text) || lines.some((line) => namedNode.test(line.text) && isNear(line.at.line));
}

function tableOfAssert(message: DeviceAssertMessage, path: string): IndexFailure['table'] {
  const text = `${message.condition ?? ''} ${message.kernel ?? ''} ${message.source ?? ''} ${message.text}`;
  if (
    /n_classes|cur_target|nll_loss|Loss\.cu|ClassNLL|MultiMargin|target_val|BinaryCrossEntropy|input_val >= zero/i.test(
      text,
    )
  )
    return 'label';
  if (/srcSelectDimSize|indexSelect|Embedding|ind_dim_size|gather_kernel/i.test(text))
    return positionCode.test(lastCode(path)) ? 'position' : 'token';
  return 'unknown';
}

/** The innermost call of the model's own code decides; a position table is recognised before a token table. */
function tableOfFrames(path: string): IndexFailure['table'] {
  const lines = path.split('\n').filter((line) => !machinery.test(line));
  for (const line of lines.reverse()) {
    if (positionCode.test(line)) return 'position';
    if (tokenCode.test(line)) return 'token';
    if (labelCode.test(line)) return 'label';
  }
  return /embedding/i.test(path) ? 'token' : 'unknown';
}

function lastCode(path: string): string {
  return path.split('\n').findLast((line) => !machinery.test(line)) ?? '';
}
