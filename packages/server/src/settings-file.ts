// What the files of settings have in common: secrets may be read from the environment, and what does not fit is told by its place.
import { GrusError } from '@grus/core';
import type { z } from 'zod';

export type Variables = Readonly<Record<string, string | undefined>>;

/** `what` it sets stands before every complaint; `advice` says where it is described. */
export interface SettingsKind<Settings> {
  readonly what: string;
  readonly schema: z.ZodType<Settings>;
  readonly advice: string;
}

/** `env:NAME` in place of a text is read from the environment. */
export function parseSettings<Settings>(
  { what, schema, advice }: SettingsKind<Settings>,
  value: unknown,
  environment: Variables,
): Settings {
  const parsed = schema.safeParse(withEnvironment(value, environment, what));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new GrusError(`${what}: ${issue?.path.join('.') || 'the file'}: ${issue?.message}`, { advice });
}

function withEnvironment(value: unknown, environment: Variables, what: string): unknown {
  if (Array.isArray(value)) return value.map((one) => withEnvironment(one, environment, what));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [key, withEnvironment(one, environment, what)]),
    );
  const [, name] = (typeof value === 'string' && /^env:(\w+)$/.exec(value)) || [];
  if (name === undefined) return value;
  const found = environment[name];
  if (found === undefined)
    throw new GrusError(`${what}: ${name} is not set`, {
      advice: `Set it in the environment of grus server, or write the value instead of env:${name}.`,
    });
  return found;
}
