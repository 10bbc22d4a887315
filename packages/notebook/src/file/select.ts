// Which cell a person means by a number or a cell id.
import { GrusError } from '@grus/core';
import type { CodeCell } from './document.js';

export function selectCell(cells: readonly CodeCell[], wanted: string, path: string): CodeCell {
  const byId = cells.find((cell) => cell.id === wanted);
  if (byId) return byId;
  const advice = `Give a number from 1 to ${cells.length} (code cells only) or a cell id.`;
  if (!/^\d+$/.test(wanted)) throw new GrusError(`${path} has no cell with the id "${wanted}"`, { advice });
  const cell = cells[Number(wanted) - 1];
  if (!cell)
    throw new GrusError(`${path} has ${cells.length} code cells, there is no cell ${wanted}`, { advice });
  return cell;
}
