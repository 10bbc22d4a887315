// Text from cells, data and tracebacks is data: it is fenced by a mark that nobody can foresee, and characters that hide or
// reorder what is seen are written out.
import { createHmac, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { visible } from '@grus/core';

export interface Section {
  readonly label: string;
  readonly text: string;
}

export interface Sealed {
  readonly prompt: string;
  /** The mark of this message, so that the same question is known again under another mark. */
  readonly mark: string;
}

const drawnHere = randomBytes(32);

/**
 * The sections between marks, behind a line that names the mark. The mark is drawn from a random key and the whole message:
 * no text in it can foretell it, whoever wrote it, and the same message shows the same bytes to those who look before it is
 * sent. Empty sections are left out.
 */
export function seal(sections: readonly Section[], key: Buffer = drawnHere): Sealed {
  const shown = sections
    .filter(({ text }) => text !== '')
    .map(({ label, text }) => ({ label, text: visible(text).replace(/^(\s*)(<{3,}|>{3,})/gm, '$1 $2') }));
  const mark = createHmac('sha256', key).update(JSON.stringify(shown)).digest('hex').slice(0, 24);
  const fenced = shown.map(({ label, text }) => `<<<${label} ${mark}\n${text}\n${mark} ${label}>>>`);
  return { prompt: [`The mark of this message is ${mark}.`, ...fenced].join('\n\n'), mark };
}

const keyFile = 'fence-key';
const keyBytes = 32;

/** The key of this user, made at first use; where it cannot be kept, one of this process. */
export function fenceKey(folder: string): Buffer {
  const path = join(folder, keyFile);
  const kept = readKey(path);
  if (kept !== null) return kept;
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path, drawnHere, { mode: 0o600, flag: 'wx' });
  } catch {
    return readKey(path) ?? drawnHere;
  }
  return drawnHere;
}

function readKey(path: string): Buffer | null {
  try {
    const kept = readFileSync(path);
    return kept.length === keyBytes ? kept : null;
  } catch {
    return null;
  }
}
