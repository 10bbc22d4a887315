// What one method said of one executed instance.
import type { Executed } from './executed.js';

export type ExecutedPrediction = Executed['predictions'][number];
