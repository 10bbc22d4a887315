// Rows of a live frame of which one cell is known: every value that was seen in a column stands in some row.

import type { Context } from '../../reasoning/context.js';
import type { Ref } from '../../reasoning/facts.js';
import { keyOf } from '../../reasoning/literals.js';
import { fewWitnesses, witnessesIn } from '../../reasoning/witnesses.js';
import { newSeries } from './frames.js';
import type { Frame } from './kinds.js';

const most = 32;

/** Only where the row keeps the cells as they are: a column of texts makes it a row of objects. */
export function rowWitnesses(context: Context, frame: Frame): readonly Ref[] {
  const { columns } = frame;
  if (!columns || frame.columnLevels !== undefined || frame.rows === 0) return [];
  const labels = columns.map((column) => column.label);
  if (new Set(labels.map(keyOf)).size !== labels.length) return [];
  const holdsTexts = columns.some(({ dtype }) => dtype === 'str' || dtype === 'object');
  if (!holdsTexts) return [];
  const cells = columns.flatMap(({ label, dtype, values }) =>
    values && dtype !== undefined && dtype !== 'category' && dtype !== 'bool'
      ? witnessesIn(context, values, dtype).map((ref) => ({ label, ref }))
      : [],
  );
  return fewWitnesses(cells, most).map(({ label, ref }) =>
    context.put(newSeries({ rows: labels.length, index: { labels }, cells: new Map([[keyOf(label), ref]]) })),
  );
}
