// What joins a name and its value: `loss: 2.1`, `lr=1e-4`, `iter 100`, `dice_loss - 0.93`, `损失：2.1`, `loss0.604`, `loss=tensor([2.1`.
import { beforeBlanks, digit, sign, textOf, word, wordStart } from '../../bytes/characters.js';

/** Nothing, blanks alone, a dash between blanks, or a sign that nothing else can mean. */
export const joint = { none: 0, blank: 1, dash: 2, sign: 3 } as const;

/** Where the last byte of the name stands before the joint read last. */
export let nameLast = 0;

/** Reads back from a value to the name before it. */
export function readJoint(bytes: Buffer, start: number, valueAt: number, value: number): number {
  if (valueAt <= start) return joint.none;
  let at = beforeWrapper(bytes, valueAt - 1, start);
  if (opensValue(bytes, at, start, value)) at--;
  at = beforeBlanks(bytes, at, start);
  if (at < start) return joint.none;
  const byte = bytes[at]!;
  let kind: number = joint.blank;
  if (byte === sign.colon || byte === sign.equals) {
    kind = joint.sign;
    at = beforeBlanks(bytes, at - 1, start);
  } else if (byte >= 0x80 && isWideSign(bytes, at)) {
    kind = joint.sign;
    at = beforeBlanks(bytes, at - 3, start);
  } else if (byte === sign.minus && bytes[at - 1] === sign.blank && bytes[at + 1] === sign.blank) {
    kind = joint.dash;
    at = beforeBlanks(bytes, at - 1, start);
  } else if (at === valueAt - 1) {
    if (!endsGluedName(bytes, valueAt, start)) return joint.none;
    kind = joint.sign;
  }
  nameLast = at;
  return at < start ? joint.none : kind;
}

/** `loss=[2.1]`, `loss: [2.1]`: the bracket of an array of one. `Epoch: [3]` counts. */
export function opensValue(bytes: Buffer, at: number, start: number, value: number): boolean {
  if (at <= start || bytes[at] !== sign.openingBracket) return false;
  if (bytes[at - 1] === sign.equals) return true;
  const before = beforeBlanks(bytes, at - 1, start);
  return before >= start && bytes[before] === sign.colon && !Number.isInteger(value);
}

/** A colon or an equals sign of full width that ends at `at`. */
function isWideSign(bytes: Buffer, at: number): boolean {
  return bytes[at - 2] === 0xef && bytes[at - 1] === 0xbc && (bytes[at] === 0x9a || bytes[at] === 0x9d);
}

const wrapper = /(?:tensor|array|float\d*|scalar|Variable)\(\[{0,2}$/i;
const longestWrapper = 24;

/** `loss=tensor(2.1)`, `'recall': array([0.5])`: before what a number is wrapped in. */
function beforeWrapper(bytes: Buffer, at: number, start: number): number {
  const isOpen = bytes[at] === sign.opening;
  if (
    !isOpen &&
    !(
      bytes[at] === sign.openingBracket &&
      (bytes[at - 1] === sign.opening || bytes[at - 1] === sign.openingBracket)
    )
  )
    return at;
  const from = Math.max(start, at - longestWrapper);
  const found = wrapper.exec(textOf(bytes, from, at + 1));
  if (found === null) return at;
  let before = from + found.index - 1;
  while (before > start && (word[bytes[before]!] === 1 || bytes[before] === sign.point)) before--;
  return before;
}

const gluedNames = new Set(['loss', 'acc', 'lr', 'lrate', 'ppl']);
const longestGlued = 5;

/** Where the value begins that is glued to the name before its point: `loss0.604`, `(lrate0.008)`; 0 without one. */
export function gluedValue(bytes: Buffer, from: number, at: number, end: number): number {
  if (bytes[at] !== sign.point || at + 1 >= end || digit[bytes[at + 1]!] === 0) return 0;
  let value = at;
  while (value > from && digit[bytes[value - 1]!] === 1) value--;
  return value < at && endsGluedName(bytes, value, from) ? value : 0;
}

function endsGluedName(bytes: Buffer, end: number, start: number): boolean {
  const from = wordStart(bytes, end, Math.max(start, end - longestGlued - 1));
  return end > from && gluedNames.has(textOf(bytes, from, end).toLowerCase());
}
