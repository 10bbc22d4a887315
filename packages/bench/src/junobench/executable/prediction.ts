// What one method said of one executed instance.
import type { Verdict } from '@grus/core';

export interface ExecutedPrediction extends Pick<Verdict, 'outcome' | 'rung' | 'exception' | 'line'> {
  readonly instance: string;
  readonly method: string;
  readonly crashes: boolean;
  readonly ms: number | null;
}
