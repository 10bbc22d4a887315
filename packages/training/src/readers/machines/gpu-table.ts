// What `nvidia-smi --query-gpu=… --format=csv` prints once: a row per device. Read are what holds its clocks down and the counts of memory
// errors that the device could not correct, and where each device sits.
import { busOf } from '../../record/seat.js';
import { defineReader, wholeFile } from '../reader.js';
import { type GpuReport, reportGpu } from './gpu-report.js';

const largest = 1024 * 1024;

const telling: readonly { readonly column: RegExp; readonly value: RegExp; readonly kind: GpuReport }[] = [
  {
    column: /^clocks_(?:throttle|event)_reasons\.(?:hw_\w*slowdown|sw_thermal_slowdown)$/,
    value: /^Active$/i,
    kind: 'gpu_throttled',
  },
  {
    column: /^ecc\.errors\.uncorrected\.volatile\.|^retired_pages\.double_bit\.count$/,
    value: /^[1-9]\d*$/,
    kind: 'gpu_memory_error',
  },
  {
    column: /^(?:remapped_rows\.(?:failure|pending)|retired_pages\.pending)$/,
    value: /^(?:Yes|1)$/i,
    kind: 'gpu_memory_error',
  },
];

const bus = /^(?:gpu_bus_id|pci\.bus_id|pci_bus_id|bus_id)$/;

function cellsOf(line: string): string[] {
  return line.split(',').map((cell) => cell.trim());
}

export const gpuTable = defineReader({
  id: 'gpu-table',
  title: 'nvidia-smi --query-gpu',
  rewritten: true,
  fidelity: 0,
  matches: ({ text }) => {
    const names = cellsOf(text.split(/\r?\n/, 1)[0]!);
    const isTelling = names.some((name) => ruleOf(name) || bus.test(name));
    return names.includes('index') && !names.includes('timestamp') && isTelling;
  },
  open: (record) =>
    wholeFile(record, largest, (text) => {
      const [header = '', ...rows] = text.split(/\r?\n/);
      const names = cellsOf(header);
      for (const [at, row] of rows.entries()) {
        const cells = cellsOf(row);
        const device = cells[names.indexOf('index')] ?? '';
        if (!/^\d{1,3}$/.test(device)) continue;
        const place = busOf(cells[names.findIndex((name) => bus.test(name))] ?? '');
        if (place !== null) record.buses.set(Number(device), place);
        for (const [index, name] of names.entries()) {
          const rule = ruleOf(name);
          const value = cells[index] ?? '';
          if (rule?.value.test(value))
            reportGpu(record, rule.kind, Number(device), `${name}: ${value}`, at + 2);
        }
      }
    }),
});

function ruleOf(name: string): (typeof telling)[number] | undefined {
  return telling.find(({ column }) => column.test(name.replace(/ \[.*\]$/, '')));
}
