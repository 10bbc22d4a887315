// Reads the code that is to be judged from a file or from standard input.
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { GrusError } from '@grus/core';

export async function readCode(file: string): Promise<string> {
  if (file === '-') return text(process.stdin);
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new GrusError(`${file} cannot be read`, {
      advice: 'Give --code a file of Python code, or - for stdin.',
      cause,
    });
  }
}
