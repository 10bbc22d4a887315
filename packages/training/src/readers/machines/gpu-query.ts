// What `nvidia-smi -q` prints: a tree of fields set in by spaces, one branch per device. Read are the counts of memory errors that
// the device could not correct, and what holds its clocks down.
import { busOf } from '../../record/seat.js';
import { defineReader, wholeFile } from '../reader.js';
import { type GpuReport, reportGpu } from './gpu-report.js';

const largest = 16 * 1024 * 1024;

/** A field that tells of a fault, under which branch, and as what. */
const telling: readonly {
  readonly branch: RegExp;
  readonly field: RegExp;
  readonly value: RegExp;
  readonly kind: GpuReport;
}[] = [
  { branch: /^GPU /, field: /./, value: /^GPU is lost$/i, kind: 'gpu_missing' },
  { branch: /Volatile/, field: /Uncorrectable/, value: /^[1-9]\d*$/, kind: 'gpu_memory_error' },
  {
    branch: /Remapped Rows/,
    field: /^(?:Remapping Failure Occurred|Pending)$/,
    value: /^Yes$/,
    kind: 'gpu_memory_error',
  },
  { branch: /Retired Pages/, field: /^Pending/, value: /^Yes$/, kind: 'gpu_memory_error' },
  {
    branch: /Clocks (?:Throttle|Event) Reasons/,
    field: /^(?:HW (?:Slowdown|Thermal Slowdown|Power Brake Slowdown)|SW Thermal Slowdown)$/,
    value: /^Active$/,
    kind: 'gpu_throttled',
  },
];

export const gpuQuery = defineReader({
  id: 'gpu-query',
  title: 'nvidia-smi -q',
  rewritten: true,
  fidelity: 0,
  matches: ({ text }) => /^=+NVSMI LOG=+/m.test(text.slice(0, 2000)),
  open: (record) =>
    wholeFile(record, largest, (text) => {
      const path: { readonly indent: number; readonly name: string }[] = [];
      let device = -1;
      for (const [index, line] of text.split(/\r?\n/).entries()) {
        const found = /^( *)(\S.*?)(?:\s+: (.*))?$/.exec(line);
        if (found === null) continue;
        const [, spaces = '', name = '', value] = found;
        while (path.length > 0 && path.at(-1)!.indent >= spaces.length) path.pop();
        if (value === undefined) {
          path.push({ indent: spaces.length, name });
          if (/^GPU [0-9A-Fa-f]{8}:/.test(name)) record.buses.set(++device, busOf(name)!);
          continue;
        }
        const branch = path.map((part) => part.name).join(' / ');
        const rule = telling.find(
          (row) => row.branch.test(branch) && row.field.test(name) && row.value.test(value),
        );
        if (rule === undefined) continue;
        reportGpu(record, rule.kind, device, `${path.at(-1)?.name ?? ''}, ${name}: ${value}`, index + 1);
      }
    }),
});
