// Versions of libraries and of the code that every rank names, compared.
import type { RunView } from '../../features/view.js';
import type { TextLine } from '../../record/run-record.js';
import { hostsIn } from '../present/presence.js';
import { type OddOne, oddOne } from './odd-one.js';

export interface VersionApart extends OddOne<string> {
  /** "torch", "commit". */
  readonly name: string;
  readonly line: TextLine;
  readonly otherLine: TextLine;
}

/** "torch 2.4.1", "numpy==2.1.0", "CUDA version: 12.4.0". Three parts: a number with one point may be any figure. */
const version = /\b([A-Za-z][A-Za-z_-]{1,30})(?:[ _]version)?[ =:]{1,3}v?(\d+\.\d+\.\d+[\w.+-]*)/g;
const commit =
  /\b(commit|revision|git|sha\d*|(?:code )?version|hash|digest|checksum|md5)[ =:]{1,3}(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])([0-9a-f]{7,40})\b/gi;
const address = /^\d+(?:\.\d+){3}$/;

/** Something that every rank names, and one rank or the ranks of one host in another version. */
export function versionApart({ lines, record }: RunView): VersionApart | null {
  const names = new Map<string, Map<number, { word: string; line: TextLine }>>();
  for (const line of lines) {
    if (line.rank === null || line.text.length > 400) continue;
    for (const [, name, word] of [...line.text.matchAll(version), ...line.text.matchAll(commit)]) {
      if (address.test(word!)) continue;
      const key = name!.toLowerCase();
      const said = names.get(key) ?? new Map<number, { word: string; line: TextLine }>();
      names.set(key, said);
      if (!said.has(line.rank)) said.set(line.rank, { word: word!.replace(/[.+-]+$/, ''), line });
    }
  }
  for (const [name, said] of names) {
    const odd = oddOne(new Map([...said].map(([rank, { word }]) => [rank, word])), hostsIn(record));
    if (odd === null) continue;
    const other = [...said.values()].find(({ word }) => word === odd.others)!;
    return { ...odd, name, line: said.get(odd.rank)!.line, otherLine: other.line };
  }
  return null;
}
