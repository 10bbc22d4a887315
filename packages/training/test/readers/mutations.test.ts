// Real artefacts with bytes changed, cut, doubled and mixed: whatever comes out, the answer is a diagnosis or an error with advice.
// GRUS_MUTATIONS=100000 makes a long night of it.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { GrusError } from '@grus/core';
import { describe, expect, it } from 'vitest';
import { diagnoseRecord } from '../../src/diagnose/diagnose.js';
import { renderReport } from '../../src/diagnose/report.js';
import { readFiles } from '../../src/readers/index.js';
import { notebookOutputs } from '../../src/readers/input/notebook-cells.js';

const count = Number(process.env['GRUS_MUTATIONS'] ?? 2000);
const fixtures = join(import.meta.dirname, '../fixtures');
const largest = 64 * 1024;

interface Artefact {
  readonly name: string;
  readonly bytes: Buffer;
}

const artefacts = readdirSync(fixtures, { recursive: true })
  .map(String)
  .filter((name) => !name.startsWith('make') && statSync(join(fixtures, name)).isFile())
  .sort()
  .map((name): Artefact => ({ name, bytes: readFileSync(join(fixtures, name)).subarray(0, largest) }));

/** Words that readers and detectors wait for, in places where they do not expect them. */
const tokens = [
  'Traceback (most recent call last):\n',
  '\n\n',
  '\r',
  '\u001b[31m',
  '[0m',
  '> ',
  'loss: nan',
  '1e999',
  '-'.repeat(5000),
  '{"step": ',
  '\u0000',
  '\u001f\u008b',
  'CUDA out of memory. Tried to allocate ',
  '[rank7]: ',
  '"cells": [',
  '((((((((((',
];

describe('mutated artefacts', () => {
  it(`gives an answer for each of ${count}`, { timeout: 60_000 + count * 200 }, async () => {
    const random = generator(20261115);
    let answered = 0;
    for (let round = 0; round < count; round++) {
      const artefact = artefacts[random(artefacts.length)]!;
      const content = mutate(artefact.bytes, random);
      const path = artefact.name.slice(artefact.name.lastIndexOf('/') + 1);
      const file = { path, absolute: path, size: content.length, modified: 0, content };
      try {
        notebookOutputs(content.toString('utf8'));
        const record = await readFiles({ path: 'run', files: [file] }, { single: true });
        const diagnosis = diagnoseRecord(record);
        const report = renderReport(diagnosis, record);
        if (diagnosis.confidence < 0 || diagnosis.confidence > 1) throw new Error('no confidence');
        if (/[\u0000-\u0009\u000b-\u001f]/.test(report)) throw new Error('a control character');
        answered++;
      } catch (error) {
        if (!GrusError.isInstance(error))
          throw new Error(`round ${round}, ${artefact.name}`, { cause: error });
        expect(error.advice).not.toBe('');
      }
    }
    expect(answered).toBeGreaterThan(0.5 * count);
  });
});

function mutate(original: Buffer, random: (below: number) => number): Buffer {
  let bytes = Buffer.from(original);
  for (let times = 1 + random(4); times > 0; times--) {
    const at = random(bytes.length + 1);
    const length = random(Math.min(2000, bytes.length - at + 1));
    const [before, piece, after] = [
      bytes.subarray(0, at),
      bytes.subarray(at, at + length),
      bytes.subarray(at + length),
    ];
    const changes: readonly (() => Buffer)[] = [
      () => Buffer.concat([before, after]),
      () => Buffer.concat([before, piece, piece, after]),
      () => Buffer.concat([before, Buffer.from(tokens[random(tokens.length)]!), piece, after]),
      () => bytes.subarray(0, at),
      () =>
        Buffer.concat([
          before,
          Buffer.from(piece.map((byte) => (random(20) === 0 ? random(256) : byte))),
          after,
        ]),
      () => Buffer.from(bytes.toString('latin1').replace(/\n/g, random(2) === 0 ? '' : '\r'), 'latin1'),
      () => Buffer.concat([before, artefacts[random(artefacts.length)]!.bytes.subarray(0, 4000), after]),
    ];
    bytes = changes[random(changes.length)]!();
  }
  return bytes.subarray(0, 2 * largest);
}

/** Numbers that are the same in every run. */
function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
