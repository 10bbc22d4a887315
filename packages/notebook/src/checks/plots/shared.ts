// What the checks on plots share: which function of matplotlib is meant, whether called on `plt` or on axes.

import type { Operand } from '../../reasoning/events.js';
import { lengthOf, shapeOf } from '../../reasoning/kinds.js';
import type { CheckContext } from '../define-check.js';
import type { CallEvent } from '../torch/shared.js';

/** "plot" for `plt.plot(...)` and `ax.plot(...)`; undefined for anything else. */
export function plotFunction(event: CallEvent): string | undefined {
  const module = /^matplotlib\.pyplot\.(\w+)$/.exec(event.target ?? '')?.[1];
  if (module !== undefined) return module;
  const fact = event.receiver?.fact;
  return fact?.kind === 'instance' && fact.class === 'matplotlib.axes.Axes'
    ? (event.method ?? undefined)
    : undefined;
}

/** The shape of something that is drawn point by point; undefined when it is not known. */
export function drawnShape(context: CheckContext, { fact }: Operand): readonly number[] | undefined {
  if (fact.kind === 'list' || fact.kind === 'tuple') {
    const items = fact.items?.map((item) => context.look(item));
    const isFlat = items
      ? items.every((item) => item.kind === 'scalar')
      : fact.values?.elementTypes?.every(isPlainType);
    const length = lengthOf(fact);
    return isFlat && length !== undefined ? [length] : undefined;
  }
  if (fact.kind === 'range') {
    const length = lengthOf(fact);
    return length === undefined ? undefined : [length];
  }
  if (fact.kind === 'index') return fact.labels ? [fact.labels.length] : undefined;
  if (
    fact.kind !== 'series' &&
    fact.kind !== 'ndarray' &&
    fact.kind !== 'tensor' &&
    fact.kind !== 'dataframe'
  )
    return undefined;
  const shape = shapeOf(fact);
  return shape?.every((dim): dim is number => typeof dim === 'number') ? shape : undefined;
}

/** How many rows it has: of a list that is its length, whatever the rows are. */
export function drawnRows(context: CheckContext, operand: Operand): number | undefined {
  const { kind } = operand.fact;
  if (kind === 'list' || kind === 'tuple') return lengthOf(operand.fact);
  return drawnShape(context, operand)?.[0];
}

function isPlainType(name: string): boolean {
  return /^(int|float|bool|str|numpy\.(float|int)\d+)$/.test(name);
}
