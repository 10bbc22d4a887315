// How text is set off on the terminal that a stream is attached to; plain text in pipes and under NO_COLOR.
import pc from 'picocolors';
import { hasColors, type Output, widthOf } from './output.js';

export interface Style {
  readonly width: number;
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
}

export function styleFor(stream: Output): Style {
  const { bold, dim, red, green } = pc.createColors(hasColors(stream));
  return { width: widthOf(stream), bold, dim, red, green };
}

const unchanged = (text: string) => text;

/** For a file. */
export const plainStyle: Style = {
  width: 100,
  bold: unchanged,
  dim: unchanged,
  red: unchanged,
  green: unchanged,
};
