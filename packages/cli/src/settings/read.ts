// Reads a file of settings. Whatever is wrong in it is an error with its place: a setting that is misspelled must not be
// taken for one that holds.
import { basename } from 'node:path';
import { GrusError, nearest } from '@grus/core';
import { parse, TomlError } from 'smol-toml';
import type { z } from 'zod';
import { definition, type ProjectSettings } from './definition.js';

export function parseSettings(text: string, file: string): ProjectSettings {
  const whole = tomlOf(text, file);
  const checked = definition.safeParse(basename(file) === 'pyproject.toml' ? sectionOf(whole) : whole);
  if (checked.success) return checked.data;
  throw errorOf(checked.error.issues[0]!, file);
}

function tomlOf(text: string, file: string): Record<string, unknown> {
  try {
    return parse(text);
  } catch (cause) {
    const where = cause instanceof TomlError ? `, line ${cause.line}` : '';
    throw new GrusError(`${file}${where}: this is not TOML`, { advice: 'Mend the line.', cause });
  }
}

/** `[tool.grus]` */
function sectionOf(whole: Record<string, unknown>): unknown {
  const tool = whole['tool'] as Record<string, unknown> | undefined;
  return tool?.['grus'] ?? {};
}

function errorOf(issue: z.core.$ZodIssue, file: string): GrusError {
  const where = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys;
    const known = Object.keys(definition.shape);
    const [near] = nearest(key, known, 1);
    return new GrusError(`${file}: there is no setting "${key}"`, {
      advice: near === undefined ? `The settings are ${known.join(', ')}.` : `Did you mean ${near}?`,
    });
  }
  const choices = issue.code === 'invalid_value' ? `Choose one of ${issue.values.join(', ')}.` : null;
  return new GrusError(`${file}: ${where}: ${issue.message}`, {
    advice: choices ?? 'See docs/settings.md for what it takes.',
  });
}
