// Colours and width of the terminal that a stream is attached to; plain text in pipes and under NO_COLOR.
import pc from 'picocolors';

export interface Style {
  readonly width: number;
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly cyan: (text: string) => string;
}

/** Style for one stream. FORCE_COLOR overrides the absence of a terminal, NO_COLOR overrides everything. */
export function styleFor(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv = process.env): Style {
  const forced = env['FORCE_COLOR'] !== undefined && env['FORCE_COLOR'] !== '0';
  const enabled = !env['NO_COLOR'] && env['TERM'] !== 'dumb' && (forced || stream.isTTY === true);
  const { bold, dim, red, green, yellow, cyan } = pc.createColors(enabled);
  return { width: Math.max(30, Math.min(stream.columns ?? 100, 120)), bold, dim, red, green, yellow, cyan };
}
