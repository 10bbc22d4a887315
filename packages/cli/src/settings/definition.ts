// The settings that a project may make, in one definition: the reader, the JSON schema, the table of docs/settings.md and
// `grus doctor` follow from it. A project comes from anywhere, so nothing here can start a program, lower the isolation of
// copies, name a model or let one be told more: what is not in this table cannot be set by a file.
import { redactionLevels } from '@grus/core';
import { z } from 'zod';
import { policies, strengths } from '../options/dry.js';

const checkNames = z.array(z.string().min(1)).max(500);

export const definition = z.strictObject({
  preview: z
    .boolean()
    .optional()
    .describe('Also use new checks, whose false alarms have not been counted yet.'),
  ignore: checkNames.optional().describe('Checks, or families of checks, that stay silent.'),
  'ignore-in': z
    .record(z.string().min(1), checkNames)
    .optional()
    .describe('The same for some notebooks only: patterns of paths, from the folder of this file.'),
  dry: z
    .enum(policies)
    .exclude(['ask'])
    .optional()
    .describe('Whether a cell is run in an isolated copy of the kernel first.'),
  'dry-seconds': z.number().min(0.5).max(3600).optional().describe('Seconds that such a copy may take.'),
  'cell-seconds': z.number().min(1).max(604_800).optional().describe('Seconds that each cell may run.'),
  'require-isolation': z
    .enum(strengths)
    .optional()
    .describe('Make no copy with a weaker isolation than this.'),
  redaction: z
    .enum(redactionLevels)
    .optional()
    .describe('The most that a model may be told; what you allow yourself is never exceeded.'),
  'ask-models': z.boolean().optional().describe('With false, no model is asked, whichever is set up.'),
});

export type ProjectSettings = z.infer<typeof definition>;

/** The rows of docs/settings.md: name, what it takes, what it does. */
export function settingsTable(): string {
  const { properties = {} } = z.toJSONSchema(definition, { io: 'input' });
  const rows = Object.entries(properties).map(([name, property]) => {
    const { description, ...taken } = property as z.core.JSONSchema.BaseSchema;
    return `| \`${name}\` | ${inWords(taken)} | ${description} |`;
  });
  return ['| setting | takes | what it does |', '| --- | --- | --- |', ...rows].join('\n');
}

function inWords({ type, enum: choices, minimum, maximum }: z.core.JSONSchema.BaseSchema): string {
  if (choices) return choices.map((choice) => `\`"${choice}"\``).join(', ');
  if (type === 'boolean') return '`true`, `false`';
  if (type === 'number') return `a number from ${minimum} to ${maximum}`;
  return type === 'array' ? 'a list of names' : 'a table: pattern to list of names';
}

/** For editors that complete and check TOML, and for other programs. */
export function schemaText(): string {
  const { $schema, ...schema } = z.toJSONSchema(definition, { io: 'input' });
  const head = {
    $schema,
    $id: 'grus.schema.json',
    title: 'grus.toml, or [tool.grus] in pyproject.toml',
  };
  const text = JSON.stringify({ ...head, ...schema }, null, 2);
  // Short lists on one line, as the formatter of the project writes them.
  return `${text.replace(/\[\s+([^[\]{}]+?)\s+\]/g, (_, items: string) => `[${items.split(/\s+/).join(' ')}]`)}\n`;
}
