// An error that only says that another rank is gone or late: raised inside of the communication, or by a launcher that ends the
// others. It is never first.

const raisedByWaiting =
  /^(?:DistBackendError|DistNetworkError|DistStoreError|Rendezvous\w+|ChildFailedError|Process(?:Raised|Exited)Exception|SignalException)$/;
const toldByWaiting =
  /\bgloo\b|\bc10d\b|NCCL|ProcessGroup|Connection (?:closed by peer|reset by peer|refused)|Broken pipe|socket has (?:timed out|failed)|clients joined|collective operation timeout|Watchdog|store->get|TCPStore/i;
/** A port that is taken, or an interface that is not there, is a fault of this rank's machine or settings, whoever tells it. */
const ownFault = /address already in use|EADDRINUSE|Unable to find address for/i;

interface Raised {
  readonly type: string;
  readonly message: string;
  readonly frames: readonly { readonly file: string }[];
}

export function isConsequence(failure: Raised): boolean {
  if (ownFault.test(failure.message)) return false;
  const last = failure.frames.at(-1)?.file ?? '';
  return (
    raisedByWaiting.test(failure.type) ||
    toldByWaiting.test(failure.message) ||
    /[/\\]torch[/\\]distributed[/\\](?:c10d_logger|distributed_c10d|rendezvous)\.py$/.test(last)
  );
}

/** What launchers send to those that are left, and what a library ends its process with when a peer is gone. */
const sentAfterwards: ReadonlySet<string> = new Set(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGABRT']);

/** Ended by a signal that follows from nothing else. */
export function wasKilled({ signal }: { readonly signal: string | null }): boolean {
  return signal !== null && !sentAfterwards.has(signal);
}
