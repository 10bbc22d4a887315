// Text from outside, fit to be shown to a person: in a terminal, a page, a prompt. Characters that move the cursor, write to the
// clipboard, hide or reorder what is seen are written out instead of being sent.

/** Controls, zero-width and bidirectional marks, variation selectors, tags: whatever is there and cannot be seen. */
const hidden = /(?![\n\t])[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Most texts have nothing but these, and the properties of Unicode take long to look up. */
const plain = /^[\n\t -~]*$/;

/** The text with hidden characters as Python would escape them; lines and tabs stay. */
export function visible(text: string): string {
  return withoutHidden(text.replace(/\r\n/g, '\n'), escaped);
}

/** Everything that is text in a value, made visible; keys as well. */
export function visibleIn<Value>(value: Value): Value {
  if (typeof value === 'string') return visible(value) as Value;
  if (Array.isArray(value)) return value.map(visibleIn) as Value;
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, held]) => [visible(key), visibleIn(held)]),
  ) as Value;
}

/** JSON that means the same and holds no hidden character. */
export function visibleJson(json: string): string {
  return withoutHidden(json, (character) =>
    [...Array(character.length).keys()].map((unit) => `\\u${hex(character.charCodeAt(unit), 4)}`).join(''),
  );
}

function withoutHidden(text: string, written: (character: string) => string): string {
  return plain.test(text) ? text : text.replace(hidden, written);
}

function escaped(character: string): string {
  const code = character.codePointAt(0)!;
  if (character === '\r') return '\\r';
  if (code < 0x100) return `\\x${hex(code, 2)}`;
  return code > 0xffff ? `\\U${hex(code, 8)}` : `\\u${hex(code, 4)}`;
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0');
}
