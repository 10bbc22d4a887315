// The table of all checks, in the order in which they are asked about one event. Adding one is adding its file and a
// line here.
import attributeOfNone from './attributes/attribute-of-none.js';
import missingAttribute from './attributes/missing-attribute.js';
import wrongArguments from './calls/wrong-arguments.js';
import columnCountMismatch from './columns/column-count-mismatch.js';
import columnLengthMismatch from './columns/column-length-mismatch.js';
import dropMissingColumn from './columns/drop-missing-column.js';
import locMissingColumn from './columns/loc-missing-column.js';
import mergeKeyMissing from './columns/merge-key-missing.js';
import methodOfMissingColumn from './columns/method-of-missing-column.js';
import missingColumn from './columns/missing-column.js';
import type { Check } from './define-check.js';
import missingKey from './labels/missing-key.js';
import missingRowLabel from './labels/missing-row-label.js';
import positionOutOfBounds from './labels/position-out-of-bounds.js';
import { namesChecks } from './names/index.js';
import ambiguousTruth from './types/ambiguous-truth.js';
import lengthOfSizeless from './types/length-of-sizeless.js';
import notCallable from './types/not-callable.js';
import notIterable from './types/not-iterable.js';
import notSubscriptable from './types/not-subscriptable.js';
import unhashableKey from './types/unhashable-key.js';
import unpackCount from './types/unpack-count.js';
import unsupportedOperands from './types/unsupported-operands.js';
import wrongIndexType from './types/wrong-index-type.js';

export const checks: readonly Check[] = [
  ...namesChecks,
  attributeOfNone,
  missingAttribute,
  columnCountMismatch,
  columnLengthMismatch,
  dropMissingColumn,
  locMissingColumn,
  mergeKeyMissing,
  methodOfMissingColumn,
  missingColumn,
  missingKey,
  missingRowLabel,
  positionOutOfBounds,
  ambiguousTruth,
  lengthOfSizeless,
  notCallable,
  notIterable,
  notSubscriptable,
  unhashableKey,
  unpackCount,
  unsupportedOperands,
  wrongIndexType,
  wrongArguments,
];

export function checkById(id: string): Check | undefined {
  return checks.find((check) => check.id === id);
}
