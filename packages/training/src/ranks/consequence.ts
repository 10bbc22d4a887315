// An error that only says that another rank is gone or late: raised inside of the communication, or by a launcher that ends the
// others. It is never first.
import type { Failure } from '../features/failures.js';

const raisedByWaiting =
  /^(?:DistBackendError|DistNetworkError|DistStoreError|ChildFailedError|SignalException)$/;
const toldByWaiting =
  /\bgloo\b|NCCL|ProcessGroup|Connection (?:closed by peer|reset by peer|refused)|Broken pipe|collective operation timeout|Watchdog|store->get|TCPStore/i;

export function isConsequence(failure: Failure): boolean {
  const last = failure.frames.at(-1)?.file ?? '';
  return (
    raisedByWaiting.test(failure.type) ||
    toldByWaiting.test(failure.message) ||
    /[/\\]torch[/\\]distributed[/\\](?:c10d_logger|distributed_c10d|rendezvous)\.py$/.test(last)
  );
}
