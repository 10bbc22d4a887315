// Arrays whose form changes in place: through attributes that can be set, and through the few methods that
// resize or rearrange. Nothing is known of the form afterwards.

import type { Context } from '../../reasoning/context.js';
import type { Operand } from '../../reasoning/events.js';
import type { CallTransfer } from '../../reasoning/library.js';
import type { ArrayLike } from './kinds.js';
import { styleOf } from './styles.js';

const formAttributes = new Set(['shape', 'dtype', 'strides', 'data']);

function forgetForm(context: Context, { ref, fact }: Operand): void {
  const { kind } = fact as ArrayLike;
  const style = styleOf({ kind });
  context.state.update(ref, { kind, ...(style.keepsClass && { class: style.class }) });
}

/** Answers true when the attribute was one of the form. */
export function storeForm(receiver: Operand, name: string, _value: Operand, context: Context): boolean {
  if (!formAttributes.has(name)) return false;
  forgetForm(context, receiver);
  return true;
}

export const changesForm: CallTransfer = ({ receiver }, context) => {
  if (!receiver) return undefined;
  forgetForm(context, receiver);
  return styleOf(receiver.fact as ArrayLike).keepsClass ? receiver.ref : undefined;
};
