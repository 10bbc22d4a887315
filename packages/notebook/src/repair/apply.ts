// Applies an edit to a copy of a cell's source.
import type { Edit, ProposedEdit } from '@grus/core';

/** The edited source; null when the edit does not fit the cell, empties it or changes nothing. */
export function applyEdit(source: string, { place, replacement }: Edit | ProposedEdit): string | null {
  const lines = source.replace(/\r\n?/g, '\n').split('\n');
  const first = lines[place.line - 1];
  const last = lines[place.endLine - 1];
  if (first === undefined || last === undefined || place.endLine < place.line) return null;
  if (place.column > first.length || place.endColumn > last.length) return null;
  const middle = `${first.slice(0, place.column)}${replacement}${last.slice(place.endColumn)}`;
  const edited = [...lines.slice(0, place.line - 1), middle, ...lines.slice(place.endLine)].join('\n');
  return edited.trim() === '' || edited === lines.join('\n') ? null : edited;
}
