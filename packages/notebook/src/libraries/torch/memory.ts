// What is remembered of torch while a cell is walked: gradients, modes of modules, backward passes.
import { type Context, Memory } from '../../reasoning/context.js';
import type { Ref } from '../../reasoning/facts.js';

interface TorchMemory {
  /** False when something in the notebook switches gradients on or off out of sight. */
  readonly knowsGradients: boolean;
  /** Above zero inside `torch.no_grad()`. */
  gradientsOff: number;
  /** Modules that the cell switched to training or evaluation. */
  readonly modes: Map<Ref, { readonly name: 'train' | 'eval'; readonly turn: number } | 'unknown'>;
  /** The cell replaced parts of a module. */
  rebuiltModules: boolean;
  backwardPasses: number;
  /** Some code of the notebook makes gradients: those that tensors have change with it. */
  readonly makesGradients: boolean;
  /** Weights are float32 unless a layer is told otherwise. */
  readonly makesFloats: boolean;
  /** Numbers for steps that change something each time they are taken. */
  turns: number;
}

/** Code that decides about gradients out of sight of the walk. */
const gradientSwitch = /\brequires_grad\w*\b|set_grad_enabled|enable_grad/;

const memory = new Memory<TorchMemory>(({ sources }) => ({
  knowsGradients: !sources.some((source) => gradientSwitch.test(source)),
  gradientsOff: 0,
  modes: new Map(),
  rebuiltModules: false,
  backwardPasses: 0,
  makesFloats: !sources.some((source) => /set_default_(dtype|tensor_type)/.test(source)),
  makesGradients: sources.some((source) => /\bbackward\b/.test(source)),
  turns: 0,
}));

export function recallTorch(context: Context): TorchMemory {
  return context.recall(memory);
}
