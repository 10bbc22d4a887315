// What the API takes and gives, as schemas: they check requests and make the OpenAPI page.
import { z } from '@hono/zod-openapi';
import { manifestFile, mostFiles } from '../../artefacts/manifest.js';
import { roles } from '../../store/tokens.js';

/** One line without control characters. */
const line = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .regex(/^[^\u0000-\u001f\u007f]*$/);

export const projectName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/)
  .openapi({ example: 'vision' });

export const inProject = z.object({
  project: z.string().openapi({ param: { name: 'project', in: 'path' } }),
});
export const ofId = inProject.extend({ id: z.string().openapi({ param: { name: 'id', in: 'path' } }) });

export const problem = z.object({ error: z.string(), advice: z.string() }).openapi('Problem');

export const newRun = z
  .object({
    name: line(512).openapi({ example: 'node-7:/runs/exp-17' }),
    files: z.array(manifestFile).min(1).max(mostFiles),
    running: z.boolean().default(false),
    node: line(256).nullable().default(null),
    person: line(256).nullable().default(null),
  })
  .openapi('NewRun');

export const pushed = z
  .object({
    id: z.string().nullable(),
    status: z.enum(['new', 'updated', 'known', 'incomplete']),
    missing: z.array(z.string()).openapi({ description: 'digests of files to send first, then ask again' }),
  })
  .openapi('Pushed');

export const run = z
  .object({
    id: z.string(),
    name: z.string(),
    state: z.enum(['waiting', 'judged', 'unreadable']),
    running: z.boolean(),
    trouble: z.string().nullable(),
    node: z.string().nullable(),
    person: z.string().nullable(),
    created: z.string(),
    updated: z.string(),
    outcome: z.enum(['failed', 'degraded', 'healthy', 'unknown']).nullable(),
    category: z.string().nullable(),
    subcause: z.string().nullable(),
    confidence: z.number().nullable(),
    onset_step: z.number().nullable(),
    headline: z.string().nullable(),
    spark: z.array(z.number().nullable()).nullable(),
    framework: z.string().nullable(),
    gpu_hours: z.number().nullable(),
    fingerprint: z.string().nullable(),
  })
  .openapi('Run');

/** As `grus watch --json` writes them; what else it says of one is left. */
export const warning = z
  .object({
    warning: line(100),
    title: line(500),
    expected_failure: line(500),
    subcause: line(100).nullable(),
    step: z.number().nullable(),
    time: z.iso.datetime(),
  })
  .openapi('Warning');

export const wholeRun = run
  .extend({
    warnings: z.array(warning).openapi({ description: 'given while it went on' }),
    files: z.array(manifestFile),
    verdict: z.record(z.string(), z.unknown()).nullable().openapi({ description: 'as grus diagnose --json' }),
  })
  .openapi('WholeRun');

export const newToken = z.object({ name: line(100), role: z.enum(roles) }).openapi('NewToken');
export const token = z
  .object({ id: z.string(), name: z.string(), role: z.enum(roles), created: z.string() })
  .openapi('Token');

export function answers<Schema extends z.ZodType>(schema: Schema, description: string) {
  return {
    200: { description, content: { 'application/json': { schema } } },
    default: { description: 'why not', content: { 'application/json': { schema: problem } } },
  };
}

/** What people decide about a failure that comes again. */
export const decision = z
  .object({ muted: z.boolean().default(false), assignee: line(100).nullable().default(null) })
  .openapi('Decision');
