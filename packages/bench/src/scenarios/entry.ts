// One entry of the scenarios' catalogue: its shape, and the vocabulary its label may use.
import { causes, type Subcause } from '@grus/training';
import { z } from 'zod';
import { caseCategories } from '../training/data/case.js';

const subcause = z.enum(Object.keys(causes) as [Subcause, ...Subcause[]]);

const entrySchema = z
  .strictObject({
    id: z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'lower case words joined by hyphens'),
    script: z.string().endsWith('.py'),
    args: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
    category: z.enum(caseCategories),
    subcause: subcause.nullish().transform((value) => value ?? null),
    alternatives: z.array(subcause).default([]),
    missing_signal: z.string().min(10).optional(),
    difficulty: z.enum(['easy', 'medium', 'hard']),
    architecture: z.enum([
      'decoder',
      'encoder',
      'encoder-decoder',
      'lstm',
      'gru',
      'cnn',
      'vit',
      'ssm',
      'mlp',
    ]),
    optimizer: z.enum(['adam', 'adamw', 'sgd', 'momentum', 'adafactor', 'lion']),
    framework: z.enum(['pytorch', 'transformers', 'lightning', 'keras']),
    format: z.enum([
      'nanogpt',
      'hf-console',
      'hf-console-old',
      'megatron',
      'plain',
      'jsonl',
      'csv',
      'tensorboard',
      'wandb',
      'mlflow',
      'mlflow-files',
      'trainer-state',
      'lightning-csv',
      'keras-csv',
      'keras-history',
      'keras-console',
    ]),
    onset_step: z.number().int().nonnegative().nullish(),
    why: z.string().min(10),
    device: z.enum(['cpu', 'cuda']).default('cpu'),
    seconds: z.number().positive().optional(),
    launcher: z.literal('torchrun').optional(),
    ranks: z.number().int().min(2).optional(),
    launcher_args: z.array(z.string()).optional(),
    shell: z.boolean().optional(),
    limits: z
      .strictObject({
        address_space_mb: z.number().positive().optional(),
        open_files: z.number().positive().optional(),
        resident_mb: z.number().positive().optional(),
      })
      .optional(),
    mounts: z.array(z.strictObject({ path: z.string(), size: z.string() })).optional(),
    stop_when: z.string().optional(),
    stop_delay: z.number().nonnegative().optional(),
    stop_signal: z.string().startsWith('SIG').optional(),
    epilogue: z.array(z.string()).optional(),
    environment: z.record(z.string(), z.string()).optional(),
    console: z.string().optional(),
    drop: z.array(z.string()).optional(),
  })
  .superRefine((entry, context) => {
    const complain = (path: string, message: string): void =>
      context.addIssue({ code: 'custom', path: [path], message });
    const causeless = entry.category === 'unknown' || entry.category === 'healthy';
    if (causeless && entry.subcause !== null) complain('subcause', `${entry.category} runs have none`);
    if (!causeless && entry.subcause === null) complain('subcause', 'is missing');
    if (!causeless && entry.subcause !== null && causes[entry.subcause].category !== entry.category)
      complain('subcause', `${entry.subcause} belongs to ${causes[entry.subcause].category}`);
    if ((entry.category === 'unknown') !== (entry.missing_signal !== undefined))
      complain('missing_signal', 'belongs to unknown runs, and every one of them');
  });

export type ScenarioEntry = z.infer<typeof entrySchema>;

/** The entry, or what is wrong with it, one line per complaint. */
export function readEntry(raw: unknown): { entry: ScenarioEntry } | { complaints: string[] } {
  const parsed = entrySchema.safeParse(raw);
  if (parsed.success) return { entry: parsed.data };
  return {
    complaints: parsed.error.issues.map(
      (issue) => `${issue.path.join('.') || 'the entry'}: ${issue.message}`,
    ),
  };
}
