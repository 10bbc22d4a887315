// Colours and width of the terminal that a stream is attached to; plain text in pipes and under NO_COLOR.
import pc from 'picocolors';
import type { Output } from './output.js';

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

/** FORCE_COLOR overrides the absence of a terminal, NO_COLOR overrides everything. */
export function hasColors(stream: Output, env: NodeJS.ProcessEnv = process.env): boolean {
  const forced = env['FORCE_COLOR'] !== undefined && env['FORCE_COLOR'] !== '0';
  return !env['NO_COLOR'] && env['TERM'] !== 'dumb' && (forced || stream.isTTY === true);
}

export function widthOf(stream: Output): number {
  return Math.max(30, Math.min(stream.columns ?? 100, 120));
}
