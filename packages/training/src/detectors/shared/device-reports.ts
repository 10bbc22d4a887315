// What drivers, adapters and rendezvous report, as a table: which report tells of which cause. The numbers of Xids are those of the
// vendor's catalogue.
import type { Subcause } from '../../causes/table.js';
import type { RunView } from '../../features/view.js';
import { isConsequence } from '../../ranks/lost/consequence.js';
import { ownPort } from '../../ranks/lost/faults.js';
import { tellsRanks } from '../../ranks/present/presence.js';
import type { DeviceMessage } from '../../record/run-record.js';
import type { Observation } from '../define.js';
import { citeDevice, citeLine } from './cite.js';
import { findLine, fromFailure, fromLine } from './match.js';
import { failedByItself } from './standstill.js';

/** Xids that name a cause. The others (13, 31, 43, 45 …) follow from faults of programs as well. */
const xids: Readonly<Record<string, Subcause>> = {
  48: 'gpu_memory_fault',
  63: 'gpu_memory_fault',
  64: 'gpu_memory_fault',
  74: 'nvlink_fault',
  79: 'gpu_lost',
  92: 'gpu_memory_fault',
  94: 'gpu_memory_fault',
  95: 'gpu_memory_fault',
};

/** What `nvidia-smi` and `dcgmi` report of a device. */
const reports: Readonly<Partial<Record<DeviceMessage['kind'], Subcause>>> = {
  gpu_memory_error: 'gpu_memory_fault',
  gpu_missing: 'gpu_lost',
  nvlink_error: 'nvlink_fault',
  port_errors: 'network_link',
};

const lines: Readonly<Partial<Record<Subcause, RegExp>>> = {
  gpu_lost: /GPU has fallen off the bus|GPU is lost|Unable to determine the device handle/i,
  gpu_memory_fault: /uncorrectable ECC|double[- ]bit ECC|cudaErrorECCUncorrectable/i,
  nvlink_fault: /NVLink: fatal error|NVLink error/i,
  network_link: new RegExp(
    `NET/IB\\w* ?: ?Got (?:completion\\b.*\\b(?:status=|error \\d)|async (?:fatal )?event ?: ?(?:\\w*FATAL|\\w*catastrophic))|NET/IB\\w* .*(?:port (?:error|down)|link down)|${ownPort.source}`,
    'i',
  ),
};

/** Told by the start of a job, before any step. */
const joining =
  /clients joined|Rendezvous(?:Timeout|Connection|Closed)\w*|connectFullMesh failed|Timed out initializing process group|wait timeout after \d+ ?ms, keys|Unable to find (?:address|interface) for|no (?:\w+ )?interfaces? found|socket has (?:timed out|failed)[^\n]*(?:connect|listen)/i;

/** Who cannot listen at a port that another program holds has looked for nobody yet. */
const taken = /address already in use|EADDRINUSE/i;

/** The adapter of a collective, and a launcher that counts who came, tell of others by themselves. */
function tellsOfOthers({ failures }: RunView, subcause: Subcause): boolean {
  const isMeeting = subcause === 'rendezvous' && failures.some(({ text }) => countsOthers.test(text));
  return subcause === 'network_link' || isMeeting;
}

const countsOthers = /^Rendezvous|clients joined/;

export function causeOfXid(code: string | null): Subcause | null {
  return xids[code ?? ''] ?? null;
}

export function fromDevice(view: RunView, subcause: Subcause): Observation[] {
  const { record } = view;
  // What a machine reports, slow parts too, did no harm to a run that came to its end; and a run of one process has one device: that it
  // failed is all there is to say.
  if (view.ending.kind === 'completed' || !(tellsRanks(record) || tellsOfOthers(view, subcause))) return [];
  if (subcause === 'rendezvous') {
    const other = view.failures.some((failure) => !isConsequence(failure) && !joining.test(failure.text));
    return record.lastStep !== null || other
      ? []
      : fromFailure(view, joining, { strength: 0.9, when: ({ text }) => !taken.test(text) });
  }
  const xid = record.device.find(
    (message) => message.kind === 'xid' && causeOfXid(message.code) === subcause,
  );
  if (xid) return [{ strength: 0.97, onset: xid.step, evidence: [citeDevice(xid)] }];
  const report = record.device.find(({ kind }) => reports[kind] === subcause);
  // A tool says how a device is, not that the run ended by it.
  if (report && !failedByItself(view)) return [{ strength: 0.95, evidence: [citeDevice(report)] }];
  const pattern = lines[subcause];
  if (pattern === undefined) return [];
  // Who lost others names them; whose port it was its own host says.
  const port = subcause === 'network_link' ? findLine(view, ownPort) : null;
  const failure = fromFailure(view, pattern, { strength: 0.95, also: () => (port ? [citeLine(port)] : []) });
  return failure.length > 0 ? failure : fromLine(view, pattern, { strength: 0.88 });
}
