// Arrays and tensors whose form changes in place: through attributes that can be set, and through the few methods that
// resize or rearrange. Nothing is known of the form afterwards.
import type { Operand } from '../../reasoning/events.js';
import type { Interpreter } from '../../reasoning/interpreter/interpreter.js';
import type { CallTransfer } from '../../reasoning/library.js';

const formAttributes = new Set(['shape', 'dtype', 'strides', 'data']);

function forgetForm(interpreter: Interpreter, { ref, fact }: Operand): void {
  if (fact.kind === 'tensor') interpreter.state.update(ref, { kind: 'tensor', class: 'torch.Tensor' });
  else interpreter.state.update(ref, { kind: 'ndarray' });
}

/** Answers true when the attribute was one of the form. */
export function storeForm(
  receiver: Operand,
  name: string,
  _value: Operand,
  interpreter: Interpreter,
): boolean {
  if (!formAttributes.has(name)) return false;
  forgetForm(interpreter, receiver);
  return true;
}

const changesForm: CallTransfer = ({ receiver }, interpreter) => {
  if (!receiver) return undefined;
  forgetForm(interpreter, receiver);
  return receiver.fact.kind === 'tensor' ? receiver.ref : undefined;
};

export const arrayResizers: Readonly<Record<string, CallTransfer>> = { resize: changesForm };

export const tensorResizers: Readonly<Record<string, CallTransfer>> = Object.fromEntries(
  [
    'resize_',
    'resize_as_',
    'set_',
    'squeeze_',
    'swapaxes_',
    'swapdims_',
    't_',
    'transpose_',
    'unsqueeze_',
  ].map((name) => [name, changesForm]),
);
