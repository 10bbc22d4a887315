// Text from cells, data and tracebacks is data: it is fenced by a mark that it cannot contain, and characters that hide
// or reorder what is seen are written out.
import { createHash } from 'node:crypto';

/** Controls, zero-width and bidirectional marks, variation selectors, tags: whatever is there and cannot be seen. */
const invisible = /(?![\n\t])[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Hidden characters as Python would escape them; text that people can see stays as it is. */
export function showHidden(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(invisible, (character) => {
    const code = character.codePointAt(0)!;
    return code > 0xffff
      ? `\\U${code.toString(16).padStart(8, '0')}`
      : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

/** The text between two marks. The mark depends on the text, so no text can hold its own. */
export function fence(label: string, text: string): string {
  const shown = showHidden(text);
  const mark = createHash('sha256').update(shown).digest('hex').slice(0, 12);
  return `<<<${label} ${mark}\n${shown}\n${mark} ${label}>>>`;
}
