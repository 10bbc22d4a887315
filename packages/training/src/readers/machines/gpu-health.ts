// What `dcgmi diag` and `dcgmi health -c` print as tables, and `nvidia-smi nvlink -e` as lists: what a test or a watch found wrong with a
// device. A row says which part failed; the rows below it, with nothing in the first column, say more of it.
import type { FileRecord } from '../collect/file-record.js';
import { defineReader, wholeFile } from '../reader.js';
import { type GpuReport, reportGpu } from './gpu-report.js';

const largest = 16 * 1024 * 1024;

export const gpuHealth = defineReader({
  id: 'gpu-health',
  title: 'dcgmi diag, dcgmi health or nvidia-smi nvlink -e',
  rewritten: true,
  fidelity: 0,
  matches: ({ text }) => {
    const head = text.slice(0, 4000);
    return (
      /^\| Diagnostic +\| Result +\|/m.test(head) ||
      /^Health Monitor Report\s*$/m.test(head) ||
      (/^GPU \d+: .*\(UUID: GPU-/m.test(head) &&
        /^\s+Link \d+: (?:Replay|Recovery|CRC) Errors: \d+/m.test(head))
    );
  },
  open: (record) =>
    wholeFile(record, largest, (text) => {
      if (/^\s+Link \d+: /m.test(text)) readLinks(record, text);
      else readTable(record, text);
    }),
});

/** What a failed part, or the words about it, is a fault of. */
const faults: readonly (readonly [GpuReport, RegExp])[] = [
  ['gpu_missing', /fallen off the bus|GPU is lost|not (?:detected|accessible)|inaccessible|Xid:? 79\b/i],
  ['nvlink_error', /nvlink|nvswitch/i],
  [
    'gpu_memory_error',
    /uncorrectable|double[- ]bit|\bDBEs?\b|ecc_dbe|row[- ]remap|page retirements?|retired pages|\bGPU Memory\b|\bmemtest\b|^memory$/i,
  ],
  [
    'gpu_throttled',
    /thermal|clocks? (?:are being )?throttl|throttl|slowdown|power (?:violation|brake|cap)|clocks event/i,
  ],
];

interface Part {
  readonly name: string;
  readonly line: number;
  device: number | null;
  status: string;
  text: string;
}

const bad = /\b(?:fail(?:ed|ure)?|warn(?:ing)?|error)\b/i;
const isFailure = /\b(?:fail(?:ed|ure)?|error)\b/i;

function readTable(record: FileRecord, text: string): void {
  let part: Part | null = null;
  let device: number | null = null;
  const finish = (): void => {
    if (part !== null) tell(record, part);
    part = null;
  };
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const cells = /^\|(.*?)\|(.*)\|\s*$/.exec(line);
    if (cells === null || /^[-+= ]*$/.test(line)) {
      if (line.startsWith('+') || line.startsWith('|')) finish();
      continue;
    }
    const [name, value] = [cells[1]!.trim(), cells[2]!.trim()];
    const named = /^(?:->\s*|GPU(?: ID)?:?\s*)(\d+)$/.exec(name);
    if (named) {
      finish();
      device = Number(named[1]);
    } else if (name === '' || /^(?:Warning|Error|Info)s?\b/.test(name)) {
      if (part !== null) part.text += ` ${value}`;
    } else {
      finish();
      part = { name: name.replace(/^->\s*/, ''), line: index + 1, device, status: value, text: value };
      continue;
    }
    // "PCIe system: Warning - …" in the value of a device's own rows.
    const inline = /^([A-Z][\w /-]+): (Warning|Failure|Fail)\b(.*)$/i.exec(value);
    if (inline) {
      finish();
      part = { name: inline[1]!, line: index + 1, device, status: inline[2]!, text: value };
    }
  }
  finish();
}

function tell(record: FileRecord, { name, line, device, status, text }: Part): void {
  if (!bad.test(status) && !bad.test(text)) return;
  if (/^overall health/i.test(name)) return;
  const said = `${name}: ${text}`.replace(/\s+/g, ' ').trim();
  const kind =
    faults.find(([, words]) => words.test(text))?.[0] ?? faults.find(([, words]) => words.test(name))?.[0];
  if (kind === undefined) return;
  // A warning of memory or links may be a single corrected error.
  if (
    kind !== 'gpu_throttled' &&
    !isFailure.test(`${status} ${text}`) &&
    !/uncorrectable|double[- ]bit|pending/i.test(text)
  )
    return;
  // "Pass - GPUs: 0, 1 Fail - GPU: 6"
  const own = /\bGPUs?:? ?(\d+)\b/.exec(text.slice(Math.max(0, text.search(/\bFail/))));
  reportGpu(record, kind, own ? Number(own[1]) : device, said.slice(0, 300), line);
}

/** Links that had to be trained again; checksums that failed once in a while are repeated and cost nothing. */
function readLinks(record: FileRecord, text: string): void {
  let device: number | null = null;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const gpu = /^GPU (\d+): /.exec(line);
    if (gpu) device = Number(gpu[1]);
    const found = /^\s+Link (\d+): Recovery Errors: ([1-9]\d*)/.exec(line);
    if (found)
      reportGpu(
        record,
        'nvlink_error',
        device,
        `link ${found[1]} was recovered ${found[2]} times`,
        index + 1,
      );
  }
}
