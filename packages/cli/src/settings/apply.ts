// What a command was told, completed by the settings of the project. The command line wins; a file alone can only be
// stricter about models than the user is.
import { type RedactionLevel, redactionLevels } from '@grus/core';
import type { DryFlags } from '../options/dry.js';
import type { ModelOptions } from '../options/model.js';
import type { Settings } from './find.js';

export interface SettableFlags extends Partial<DryFlags>, Partial<ModelOptions> {
  readonly preview?: boolean;
  readonly timeout?: number;
}

export function withSettings<Flags extends SettableFlags>(flags: Flags, { values }: Settings): Flags {
  const defaults: SettableFlags = {
    ...defined('preview', values.preview),
    ...defined('timeout', milliseconds(values['cell-seconds'])),
    ...defined('dryBudget', milliseconds(values['dry-seconds'])),
    ...defined('requireIsolation', values['require-isolation']),
    // An assignment in the copy asks for a copy.
    ...(flags.set === undefined ? defined('dry', values.dry) : {}),
    ...modelSettings({ values }),
  };
  return { ...defaults, ...flags };
}

/** The part that is about models. */
export function modelSettings({ values }: Pick<Settings, 'values'>): ModelOptions {
  return {
    ...(values['ask-models'] === false ? { model: 'none' } : {}),
    ...(values.redaction === undefined ? {} : { redaction: stricter(values.redaction) }),
  };
}

/** The level of the project, or that of the user where it is stricter. */
function stricter(wanted: RedactionLevel): RedactionLevel {
  const own = process.env['GRUS_REDACTION'] || 'statistics';
  return redactionLevels.find((level) => level === wanted || level === own)!;
}

function milliseconds(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1000;
}

function defined<Key extends string, Value>(key: Key, value: Value | undefined) {
  return (value === undefined ? {} : { [key]: value }) as { readonly [K in Key]?: Value };
}
