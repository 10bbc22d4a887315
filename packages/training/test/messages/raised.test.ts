// Messages that the libraries here really raise, pasted without their tracebacks: known again alone, cut, wrapped, and with words of
// another version; and lines of healthy logs that are no messages.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { causeOf } from '../../src/causes/table.js';
import { diagnoseRecord } from '../../src/diagnose/diagnose.js';
import { knownMessage } from '../../src/messages/catalogue.js';
import { runOf } from '../readers/run-of.js';

interface Raised {
  readonly name: string;
  readonly type: string;
  readonly message: string;
}

const python = process.env['GRUS_PYTHON'] ?? 'python3';
const script = join(import.meta.dirname, '../fixtures/messages/raise.py');
const raised: readonly Raised[] = execFileSync(python, [script], { encoding: 'utf8' })
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

const categories: Readonly<Record<string, string>> = {
  square: 'model_software',
  vector_norm: 'model_software',
  solve_dtype: 'model_software',
  scalar: 'model_software',
  conv: 'model_software',
  second: 'model_software',
  one_class: 'data_pipeline',
  unseen: 'data_pipeline',
  nan: 'data_pipeline',
  rate: 'model_software',
  features: 'model_software',
  stack: 'data_pipeline',
  strict: 'model_software',
};

const messageOf = (name: string): string => raised.find((entry) => entry.name === name)!.message;

describe('one pasted error', () => {
  it('was raised by every call', () => {
    expect(raised.map(({ name }) => name).sort()).toEqual(Object.keys(categories).sort());
  });

  it.each(Object.entries(categories))('%s is told by its class and words', async (name, category) => {
    const { type, message } = raised.find((entry) => entry.name === name)!;
    const diagnosis = diagnoseRecord(await runOf({ 'pasted.txt': `${type}: ${message}\n` }));
    expect(diagnosis.category).toBe(category);
    expect(diagnosis.abstained).toBe(false);
  });
});

describe('a message without its class', () => {
  const square = messageOf('square');

  it('is known, with the library that raises it', () => {
    const known = knownMessage(square);
    expect(known?.place).toMatch(/^torch\//);
    expect(causeOf(known!.subcause).category).toBe('model_software');
  });

  it('is known behind other words, and cut at its end', () => {
    expect(knownMessage(`rank 3 stopped here: ${square}`)?.subcause).toBe('shape_mismatch');
    expect(knownMessage(square.slice(0, square.indexOf(', but')))?.subcause).toBe('shape_mismatch');
  });

  it('is known with a word more than this version has', () => {
    expect(knownMessage(square.replace('square', 'square real'))?.subcause).toBe('shape_mismatch');
  });

  it('is diagnosed where a narrow window wrapped it', async () => {
    const words = square.split(' ');
    const wrapped = `${words.slice(0, 6).join(' ')}\n${words.slice(6).join(' ')}\n`;
    const diagnosis = diagnoseRecord(await runOf({ 'pasted.txt': wrapped }));
    expect(diagnosis).toMatchObject({ category: 'model_software', subcause: 'shape_mismatch' });
  });
});

describe('lines that are no messages', () => {
  it.each([
    'Epoch 3/10, loss 0.412, accuracy 0.861, 12.4 s',
    'Loading the checkpoint of step 4000 and going on from there',
    'Saving model and tokenizer to out/checkpoint-500',
    'The training set has 50000 images of 10 classes',
  ])('%s', (line) => {
    expect(knownMessage(line)).toBeNull();
  });

  it('stay without a cause when a library only warns', async () => {
    const text = `WARNING: ${messageOf('square')} (retrying on the host)\n`;
    const diagnosis = diagnoseRecord(await runOf({ 'pasted.txt': text }));
    expect(diagnosis.category).toBe('unknown');
  });
});
