/**
 * # Tensors are on different devices
 *
 * ## What
 * One operand is on the accelerator, another on the host or on another device.
 *
 * ## Why
 * A buffer made in `forward` without a device, a batch that was never moved, a model split over devices.
 *
 * ## Example
 * `RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!`.
 *
 * ## Stays silent
 * When the code asked for a device that does not exist: see versions and builds.
 */
import { defineDetector } from '../define.js';
import { fromFailure } from '../shared/match.js';

const pattern =
  /Expected all tensors to be on the same device|on the same device|found at least two devices|Input type \(torch\.(cuda\.)?\w+\) and weight type \(torch\.(cuda\.)?\w+\) should be the same|should be on the (same )?(device|cpu|cuda)|Expected a '?\w+'? device type for generator|tensor .* is on cpu|can't convert cuda:\d+ device type tensor to numpy|module must have its parameters and buffers on device|Placeholder storage has not been allocated on MPS|Tensor on device \w+ is not on the expected device|Cannot copy out of meta tensor/i;

export const deviceMismatch = defineDetector({
  id: 'model/device-mismatch',
  subcause: 'device_mismatch',
  role: 'root',
  signal: 'text',
  needs: ['text'],
  detect: (_record, _features, { view }) => fromFailure(view, pattern, { strength: 0.95 }),
});
