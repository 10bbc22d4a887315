// An error that only says that another rank is gone, late or meant something else: raised inside of the communication, or by a launcher
// that ends the others. It is never first.
import type { Where } from '../../record/run-record.js';

const raisedByWaiting =
  /^(?:DistBackendError|DistNetworkError|DistStoreError|HorovodInternalError|Rendezvous\w+|ChildFailedError|Process(?:Raised|Exited)Exception|SignalException|RayActorError|ActorDiedError|WorkerCrashedError)$/;
const toldByWaiting =
  /\bgloo\b|\bc10d\b|NCCL|ProcessGroup|Connection (?:closed by peer|reset by peer|refused)|Broken pipe|\bpair closure\b|socket has (?:timed out|failed)|clients joined|collective operation timeout|Watchdog|\bstall shutdown\b|store->get|TCPStore|\bbarrier (?:timed? ?out|failed)|coordination service|Collective ops is aborted|\bheartbeat (?:timed? ?out|lost|timeout)|\bUCX\b|MPI_ABORT|\b(?:peer|remote) (?:rank|process|worker|endpoint|side)\b.{0,40}\b(?:gone|dead|died|closed|exited|disconnected|unreachable|failed)|\blost (?:connection|contact) (?:to|with) (?:rank|peer|worker|node)\b|\brank \d+ (?:\(PID \d+\) )?(?:crashed|exited|died) with (?:exit )?code/i;
/**
 * A port that is taken, an interface that is not there or a call to the rank's own device that failed is a fault of this rank's machine or
 * settings, whoever tells it.
 */
const ownFault =
  /address already in use|EADDRINUSE|Unable to find (?:address|interface) for|no (?:\w+ )?interfaces? found|unhandled cuda error/i;

/** What libraries print when they notice that two ranks did not mean the same collective. Who of them is wrong they cannot know. */
export const differing =
  /op\.preamble\.length <= op\.nbytes|Detected mismatch between collectives on ranks|distributed collective mismatch|ncclInvalidUsage.*mismatch|mismatched \w+ (?:tensor )?\w+:.*\bone rank\b.*\banother rank\b/i;

/** A driver that tells that its workers failed. */
const ofWorkers =
  /\b(?:due to|because of|one or more|some|following|of the) (?:\w+ )?(?:worker|rank|process|child|actor|task|node)(?:e?s)?\b.{0,30}\b(?:error|fail|died|exit|crash)/i;

/** Somebody was waited for in vain. */
export const ranOut = /\btim(?:ed|e) ?out\b/i;

/** Said of any connection: of one between ranks where PyTorch raised it. */
const ofConnections = /Connection (?:closed by peer|reset by peer|refused)|Broken pipe/i;
/** Ranks do not speak so to each other. */
const ofWeb = /\bhttps?:\/\/|\bHTTPS?Connection|\burllib3\b|\burlopen\b|\baiohttp\b/;
const ofPeers = /gloo|c10d|NCCL|ProcessGroup|TCPStore/i;

/** A call that was refused for what it was given: nobody else had a part in it. */
const ofArguments = /^(?:Value|Type|Key|Index|Attribute|Assertion|NotImplemented)Error$/;

interface Raised {
  readonly type: string;
  readonly message: string;
  readonly frames: readonly { readonly file: string }[];
  /** Raised while a consequence was dealt with. */
  readonly follows?: boolean;
}

export function isConsequence(failure: Raised): boolean {
  if (failure.follows) return true;
  if (ownFault.test(failure.message)) return false;
  // These are raised of ranks alone, from whatever line the program asked.
  if (raisedByWaiting.test(failure.type)) return true;
  if (isOfAnotherPeer(failure)) return false;
  const last = failure.frames.at(-1)?.file ?? '';
  return (
    toldByWaiting.test(failure.message) ||
    ofWorkers.test(failure.message) ||
    differing.test(failure.message) ||
    (!ofArguments.test(failure.type) &&
      /[/\\]torch[/\\]distributed[/\\](?:c10d_logger|distributed_c10d|rendezvous)\.py$/.test(last))
  );
}

/**
 * A tracker, a simulator or a store of data that does not answer: its connection has nothing to do with the ranks. Pipes between a process
 * and its workers break when the process ends.
 */
function isOfAnotherPeer({ message, frames }: Raised): boolean {
  return (
    ofConnections.test(message) &&
    !ofPeers.test(message) &&
    (frames.length > 0 || ofWeb.test(message)) &&
    !frames.some(({ file }) => /[/\\](?:torch[/\\]distributed|multiprocessing)[/\\]/.test(file))
  );
}

/** What launchers send to those that are left, and what a library ends its process with when a peer is gone. */
const sentAfterwards: ReadonlySet<string> = new Set(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGABRT']);

/** Ended by a signal that follows from nothing else. */
export function wasKilled({ signal }: { readonly signal: string | null }): boolean {
  return signal !== null && !sentAfterwards.has(signal);
}

interface Left {
  readonly rank: number | null;
  readonly signal: string | null;
  readonly code: number | null;
}

/** A rank that ended with a code of its own. Codes from 128 on stand for signals. */
export function leftByItself({ rank, signal, code }: Left): boolean {
  return rank !== null && signal === null && code !== null && code > 0 && code < 128;
}

type Told = Left & { readonly reason: string; readonly at: Where };

/** A launcher cancels what is left of a job when one of its ranks has ended: it said so before. */
export function isCancelledAfter(exits: readonly Told[], { reason, at }: Told): boolean {
  return (
    reason === 'cancelled' &&
    exits.some(
      (exit) =>
        (leftByItself(exit) || (exit.rank !== null && wasKilled(exit))) &&
        exit.at.file === at.file &&
        (exit.at.line ?? 0) < (at.line ?? 0),
    )
  );
}
