// Sizes after a convolution or pooling window has slid over the input.
import type { Dim, Shape } from '../../reasoning/facts.js';
import type { TorchModule } from './kinds.js';
import { attributeOf, type Look, sizes } from './layer-attributes.js';

interface Window {
  readonly kernel: readonly number[];
  readonly stride: readonly number[];
  readonly padding: readonly number[];
  readonly dilation: readonly number[];
}

type Slid = Shape | 'too-small' | undefined;

export function convolved(look: Look, module: TorchModule, input: Shape, rank: number): Slid {
  const padding = attributeOf(look, module, 'padding');
  if (padding === 'same') return input;
  const window = windowOf(look, module, rank, padding === 'valid' ? 0 : undefined);
  return window && slide(input, window, Math.floor);
}

export function pooled(look: Look, module: TorchModule, input: Shape, rank: number): Slid {
  const isCeil = attributeOf(look, module, 'ceil_mode');
  const indices = attributeOf(look, module, 'return_indices');
  const window = windowOf(look, module, rank);
  if (!window || isCeil !== false || indices === true) return undefined;
  return slide(input, window, Math.floor);
}

function windowOf(look: Look, module: TorchModule, rank: number, fixedPadding?: number): Window | undefined {
  const read = (name: string) => sizes(attributeOf(look, module, name), rank);
  const kernel = read('kernel_size');
  const stride = read('stride');
  const padding = fixedPadding === undefined ? read('padding') : sizes(fixedPadding, rank);
  const dilation = (module.options ?? module.attributes)?.has('dilation') ? read('dilation') : sizes(1, rank);
  return kernel && stride && padding && dilation ? { kernel, stride, padding, dilation } : undefined;
}

function slide(input: Shape, window: Window, round: (value: number) => number): Slid {
  const result: Dim[] = [];
  for (const [axis, dim] of input.entries()) {
    if (dim === null) {
      result.push(null);
      continue;
    }
    const reach = window.dilation[axis]! * (window.kernel[axis]! - 1) + 1;
    const room = dim + 2 * window.padding[axis]! - reach;
    if (room < 0) return 'too-small';
    result.push(round(room / window.stride[axis]!) + 1);
  }
  return result;
}
