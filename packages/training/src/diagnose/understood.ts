// How the input was understood: what kind of thing it was taken for, which files were read as what, and what was put right before reading.
import type { InputKind } from '../readers/index.js';
import { readers } from '../readers/registry.js';
import type { RunRecord } from '../record/run-record.js';

export interface Understood {
  readonly kind: InputKind;
  /** What each file was read as. */
  readonly files: readonly { readonly file: string; readonly read_as: string }[];
  /** What was done to the text before it was read: unpacked, quotation marks taken off, wrapped lines joined. */
  readonly repaired: readonly string[];
  readonly notes: readonly string[];
}

const mostFiles = 50;
const mostNotes = 20;
/** What a person should know about the reading; thinned curves and the like are only for the record. */
const worthSaying = new Set([
  'truncated',
  'corrupt',
  'binary',
  'unreadable',
  'long_line',
  'encoding',
  'limit',
  'skipped',
]);

export function understoodOf(kind: InputKind, record: RunRecord): Understood {
  const titles = new Map(readers.map(({ id, title }) => [id, title]));
  return {
    kind,
    files: record.sources
      .slice(0, mostFiles)
      .map(({ file, reader }) => ({ file, read_as: titles.get(reader) ?? 'unreadable' })),
    repaired: [...new Set(record.notes.filter((note) => note.kind === 'repaired').map((note) => note.text))],
    notes: record.notes
      .filter((note) => worthSaying.has(note.kind))
      .slice(0, mostNotes)
      .map((note) => `${note.at.file}: ${note.text}`),
  };
}

const kinds: Readonly<Record<InputKind, string>> = {
  folder: 'the files of one run',
  file: 'one file of a run',
  pair: 'the two streams of one run',
  notebook: "a notebook's training cells",
  stdin: 'text from a pipe',
};

/** One line: "Read as one file of a run: train.log (console log); unpacked from gzip." */
export function describeUnderstood({ kind, files, repaired }: Understood): string {
  const named = files.slice(0, 3).map(({ file, read_as }) => `${file} (${read_as})`);
  const more = files.length > named.length ? ` and ${files.length - named.length} more` : '';
  return `Read as ${kinds[kind]}: ${named.join(', ')}${more}${repaired.length > 0 ? `; ${repaired.join('; ')}` : ''}.`;
}
