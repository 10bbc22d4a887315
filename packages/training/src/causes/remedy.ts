// A remedy speaks of this run: it is offered only when its condition holds for the run's settings, hardware and versions,
// and its words carry the run's own figures.

/** What remedies may know of a run. */
export interface RunFacts {
  readonly batchSize: number | null;
  readonly accumulation: number | null;
  readonly clipping: number | null;
  readonly warmup: number | null;
  readonly learningRate: number | null;
  readonly optimizer: string | null;
  readonly precision: 'fp16' | 'bf16' | 'fp32' | 'unknown';
  readonly checkpointing: boolean | null;
  readonly workers: number | null;
  readonly sequenceLength: number | null;
  readonly device: string | null;
  version(name: string): string | null;
}

type Words = string | ((facts: RunFacts) => string);

export interface RemedyEntry {
  readonly kind: 'do' | 'avoid';
  readonly text: Words;
  readonly because: Words;
  /** Offered when it returns true; always without it. */
  readonly when?: (facts: RunFacts) => boolean;
}

export const act = (text: Words, because: Words, when?: RemedyEntry['when']): RemedyEntry => ({
  kind: 'do',
  text,
  because,
  ...(when ? { when } : {}),
});

export const avoid = (text: Words, because: Words, when?: RemedyEntry['when']): RemedyEntry => ({
  kind: 'avoid',
  text,
  because,
  ...(when ? { when } : {}),
});

/** Ampere and later compute in bf16; older devices only emulate it. */
export function knowsBf16(facts: RunFacts): boolean | null {
  if (facts.device === null) return null;
  if (
    /A100|A10|A30|A40|A6000|H100|H200|H800|B100|B200|L4|L40|RTX (30|40|50)|RTX A|MI[23]\d\d/i.test(
      facts.device,
    )
  )
    return true;
  if (/V100|T4|P100|K80|GTX|RTX 20|Titan/i.test(facts.device)) return false;
  return null;
}
