// How full the device and the host were, and whether that grew.
import { type Curve, finiteValues } from './curve.js';
import { defineFeature, type Feature, known } from './define.js';
import type { Growth } from './memory-growth.js';
import { clamp, median, monotonicity } from './robust.js';
import type { RunView } from './view.js';

/** The series that best shows what the process holds: allocated says it exactly, the driver's figure only roughly. */
export function memoryCurve(view: RunView): Curve | null {
  return (
    view.curve('memory_allocated') ??
    view.curve('memory_reserved') ??
    view.curve('memory_used') ??
    view.curve('memory_peak')
  );
}

/** Anything that says the run used an accelerator; a memory curve of no further name is the process's own otherwise. */
export function usesDevice(view: RunView): boolean {
  const { record } = view;
  return (
    record.hardware.gpus.length > 0 ||
    record.device.length > 0 ||
    record.series.some(({ rawName }) => /gpu|cuda|alloc|reserv|vram|hbm/i.test(rawName)) ||
    record.settings.some(
      ({ key, value }) =>
        /device|accelerator|gpus?$/i.test(key) && /cuda|gpu|^[1-9]\d*$/i.test(String(value)),
    )
  );
}

export function deviceMemory(view: RunView): number | null {
  const fromMessages = view.record.device.find(
    (message) => message.kind === 'cuda_oom' && message.total !== null,
  );
  if (fromMessages?.kind === 'cuda_oom') return fromMessages.total;
  const fromHardware = view.record.hardware.gpus.find((gpu) => gpu.memoryTotal !== null)?.memoryTotal;
  if (fromHardware) return fromHardware;
  const curve = view.curve('memory_total');
  return curve ? (finiteValues(curve).at(-1) ?? null) : null;
}

/** Relative growth over the last three quarters of a curve, and how steady it was. */
export function growthOf(curve: Curve): Growth | null {
  const values = finiteValues(curve);
  if (values.length < 6) return null;
  const settled = values.slice(Math.floor(values.length / 4));
  const edge = Math.max(1, Math.floor(settled.length / 10));
  const from = median(settled.slice(0, edge));
  const to = median(settled.slice(-edge));
  return {
    growth: (to - from) / (Math.abs(from) + 1),
    steadiness: monotonicity(settled),
    points: values.length,
  };
}

export const memoryFeatures: readonly Feature[] = [
  defineFeature('memory', 'memory_peak_fraction', {
    study: true,
    definition: 'Largest device memory held by the run over the size of the device.',
    compute: (view) => {
      const total = deviceMemory(view);
      const curve = view.curve('memory_peak') ?? memoryCurve(view);
      const values = curve ? finiteValues(curve) : [];
      return total && values.length > 0 ? clamp(Math.max(...values) / total, 0, 2) : undefined;
    },
  }),
  defineFeature('memory', 'memory_growth', {
    study: true,
    definition:
      'Relative growth of device memory over the last three quarters of the run, signed by how steady it was (Kendall tau).',
    compute: (view) => {
      const curve = memoryCurve(view);
      const growth = curve ? growthOf(curve) : null;
      return growth ? known(clamp(growth.growth * Math.abs(growth.steadiness), -10, 10)) : undefined;
    },
  }),
  defineFeature('memory', 'memory_unused_reserve', {
    study: true,
    definition:
      'Share of the memory reserved by the allocator that held no tensor at the failure or, without one, at the end.',
    compute: (view) => {
      const message = view.record.device.find((entry) => entry.kind === 'cuda_oom');
      if (message?.kind === 'cuda_oom' && message.reserved && message.allocated !== null)
        return clamp(1 - message.allocated / message.reserved, 0, 1);
      const reserved = view.curve('memory_reserved');
      const allocated = view.curve('memory_allocated');
      const held = reserved ? finiteValues(reserved).at(-1) : undefined;
      const used = allocated ? finiteValues(allocated).at(-1) : undefined;
      return held && used !== undefined ? clamp(1 - used / held, 0, 1) : undefined;
    },
  }),
  defineFeature('memory', 'memory_request_fraction', {
    study: true,
    definition: 'The allocation that failed over the size of the device: above 1 can never succeed.',
    compute: (view) => {
      const message = view.record.device.find(
        (entry) => entry.kind === 'cuda_oom' && entry.requested !== null,
      );
      const total = deviceMemory(view);
      if (message?.kind !== 'cuda_oom' || message.requested === null || !total) return undefined;
      return clamp(message.requested / total, 0, 100);
    },
  }),
  defineFeature('memory', 'host_memory_growth', {
    definition:
      'Relative growth of host memory over the last three quarters of the run, signed by steadiness.',
    compute: (view) => {
      const curve = view.curve('host_memory') ?? view.curve('host_memory_percent');
      const growth = curve ? growthOf(curve) : null;
      return growth ? known(clamp(growth.growth * Math.abs(growth.steadiness), -10, 10)) : undefined;
    },
  }),
  defineFeature('memory', 'memory_foreign_fraction', {
    definition:
      'Memory held by other processes over the size of the device, from the out-of-memory sentence.',
    compute: (view) => {
      const message = view.record.device.find((entry) => entry.kind === 'cuda_oom');
      const total = deviceMemory(view);
      if (message?.kind !== 'cuda_oom' || !total || message.otherProcesses.length === 0) return undefined;
      return clamp(message.otherProcesses.reduce((sum, held) => sum + held, 0) / total, 0, 1);
    },
  }),
];
