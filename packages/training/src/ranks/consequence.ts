// An error that only says that another rank is gone or late: raised inside of the communication, or by a launcher that ends the
// others. It is never first.
import type { Failure } from '../features/failures.js';
import type { RunView } from '../features/view.js';

const raisedByWaiting =
  /^(?:DistBackendError|DistNetworkError|DistStoreError|Rendezvous\w+|ChildFailedError|SignalException)$/;
const toldByWaiting =
  /\bgloo\b|\bc10d\b|NCCL|ProcessGroup|Connection (?:closed by peer|reset by peer|refused)|Broken pipe|socket has (?:timed out|failed)|clients joined|collective operation timeout|Watchdog|store->get|TCPStore/i;
/** A port that is taken is a fault of this rank's machine or settings, whoever tells it. */
const ownFault = /address already in use|EADDRINUSE/i;

export function isConsequence(failure: Pick<Failure, 'type' | 'message' | 'frames'>): boolean {
  if (ownFault.test(failure.message)) return false;
  const last = failure.frames.at(-1)?.file ?? '';
  return (
    raisedByWaiting.test(failure.type) ||
    toldByWaiting.test(failure.message) ||
    /[/\\]torch[/\\]distributed[/\\](?:c10d_logger|distributed_c10d|rendezvous)\.py$/.test(last)
  );
}

/** What libraries print when they notice that two ranks did not mean the same collective. Who of them is wrong they cannot know. */
export const differing =
  /op\.preamble\.length <= op\.nbytes|Detected mismatch between collectives on ranks|distributed collective mismatch|ncclInvalidUsage.*mismatch/i;

export function saidToDiffer({ lines }: RunView): boolean {
  return lines.some(({ text }) => text.length < 4000 && differing.test(text));
}
