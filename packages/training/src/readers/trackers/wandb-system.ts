// W&B's names for what it measures of the machine.
import type { MetricIdentity, MetricName } from '../../record/metrics.js';

const gpuNames: Readonly<Record<string, { metric: MetricName; unit: string; scale: number }>> = {
  gpu: { metric: 'gpu_utilization', unit: 'percent', scale: 1 },
  memoryAllocatedBytes: { metric: 'memory_used', unit: 'bytes', scale: 1 },
  temp: { metric: 'gpu_temperature', unit: 'celsius', scale: 1 },
  powerWatts: { metric: 'gpu_power', unit: 'watts', scale: 1 },
};

const hostNames: Readonly<Record<string, { metric: MetricName; unit: string; scale: number }>> = {
  'proc.memory.rssMB': { metric: 'host_memory', unit: 'bytes', scale: 2 ** 20 },
  memory_percent: { metric: 'host_memory_percent', unit: 'percent', scale: 1 },
  memory: { metric: 'host_memory_percent', unit: 'percent', scale: 1 },
  cpu: { metric: 'cpu_utilization', unit: 'percent', scale: 1 },
  'disk./.usagePercent': { metric: 'disk_percent', unit: 'percent', scale: 1 },
};

export function systemMetric(name: string): MetricIdentity | null {
  const key = name.replace(/^system\./, '');
  const gpu = /^gpu\.(\d+)\.(\w+)$/.exec(key);
  const known = gpu ? gpuNames[gpu[2]!] : hostNames[key];
  if (known === undefined) return null;
  return { ...known, split: 'system', subject: gpu ? `gpu.${gpu[1]}` : null };
}
