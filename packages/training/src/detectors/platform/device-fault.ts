/**
 * # The device or its driver failed
 *
 * ## What
 * An Xid, an uncorrectable memory error, a device that fell off the bus, or an illegal access by a kernel. In a run of several ranks also a
 * result that the same device does not give a second time.
 *
 * ## Why
 * Broken hardware and driver faults end every process on the device. In a run of several ranks an illegal access, and the Xids that
 * follow from one (13, 31, 43, 45), are a fault of the program unless something else tells of the hardware: no machine is blamed.
 *
 * ## Example
 * `NVRM: Xid (PCI:0000:3b:00): 79, GPU has fallen off the bus`, `CUDA error: an illegal memory access was encountered`,
 * `uncorrectable ECC error encountered`.
 *
 * ## Stays silent
 * For device-side asserts: those are indexes out of range. For a warning that no device is there.
 */
import { ofPrograms } from '../../ranks/lost/faults.js';
import { sizeOf } from '../../ranks/present/presence.js';
import { defineDetector, type Observation } from '../define.js';
import { citeDevice } from '../shared/cite.js';
import { causeOfXid } from '../shared/device-reports.js';
import { fromFailure, fromLine } from '../shared/match.js';

const hardware =
  /uncorrectable ECC|fallen off the bus|GPU is lost|Unable to determine the device handle|hardware error|CUDA error: (unknown error|device not ready|ECC)|NVLink error|no CUDA-capable device is detected|CUDA-capable devices?(?:\(s\))? (?:is\/are|are|is) busy or unavailable|system not yet initialized|cudaErrorECCUncorrectable|XID errors?/i;
/** TensorFlow asks for a device at every start (cuInit), and goes on without one; so does what calls itself a warning. */
const printed = new RegExp(`^(?!.*\\bcuInit\\b|\\W*warning\\b).*(?:${hardware.source})`, 'i');
const access =
  /illegal memory access|misaligned address|unspecified launch failure|illegal instruction|warp .*exception|CUDA error: invalid (argument|program counter)/i;

/** cuDNN says that it could not do its work, and no more: memory, driver or device, seldom the program. */
const gaveUp =
  /CUDNN_STATUS_(?:EXECUTION_FAILED|INTERNAL_ERROR|MAPPING_ERROR|NOT_INITIALIZED)|unhandled cuda error/;

/** The same work on the same device gave another result. */
const unlikeItself =
  /\bsilent ?data ?corruption\b|\b(?:re-?run|replay\w*|re-?comput\w*|repeat\w*|second (?:run|pass|try))\b.{0,80}\b(?:not (?:bit-?wise )?(?:reproduc\w*|equal|identical|the same)|disagree\w*|differ(?:s|ed)?|mismatch\w*)\b/i;

export const deviceFault = defineDetector({
  id: 'platform/device-fault',
  subcause: 'device_fault',
  role: 'root',
  signal: 'text',
  needs: ['text'],
  detect: (record, _features, { view }) => {
    const several = sizeOf(record) > 1;
    const xid = record.device.find(
      (message) =>
        message.kind === 'xid' &&
        !(several && (causeOfXid(message.code) !== null || ofPrograms.has(message.code))),
    );
    const observed: Observation[] = xid
      ? [{ strength: 0.95, onset: xid.step, evidence: [citeDevice(xid)] }]
      : [];
    observed.push(...fromFailure(view, printed, { strength: 0.95 }));
    if (several && observed.length === 0 && view.ending.kind !== 'completed')
      observed.push(...fromLine(view, unlikeItself, { strength: 0.93 }));
    if (observed.length === 0)
      observed.push(
        ...fromFailure(view, access, { strength: 0.82 }).map((found) =>
          several ? { ...found, subcause: 'code_error' as const } : found,
        ),
      );
    if (observed.length === 0 && !several) observed.push(...fromFailure(view, gaveUp, { strength: 0.64 }));
    if (observed.length === 0) observed.push(...fromLine(view, printed, { strength: 0.85 }));
    return observed.slice(0, 1);
  },
});
