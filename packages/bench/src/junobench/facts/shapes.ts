// Recorded shapes: plain tuples, `torch.Size([...])`, and shapes with free dimensions.
import { asNumber, isCall, isSequence, type PyValue } from '../pprint/value.js';

export function shapeOf(value: PyValue | undefined): (number | null)[] | undefined {
  if (isCall(value)) {
    if (!/Size$|Shape$/.test(value.name)) return undefined;
    return value.args.length === 0 ? [] : shapeOf(value.args[0]);
  }
  if (!isSequence(value) || value.cut) return undefined;
  const dimensions = value.items.map((item) => (item === null ? null : asNumber(item)));
  return dimensions.includes(undefined) ? undefined : (dimensions as (number | null)[]);
}
