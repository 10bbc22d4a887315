// What each rank was about to send, where PyTorch compared it before sending (TORCH_DISTRIBUTED_DEBUG=DETAIL). One message holds two of
// these fingerprints; the messages of all ranks together settle whose is odd.
import type { RunView } from '../features/view.js';
import { type OddOne, oddOne } from './odd-one.js';

/** The turn, the operation, the shape and the type; the options of the tensors behind them are of no interest. */
const stated =
  /\bRank (\d{1,5}) is running (?:\w+ )?collective: CollectiveFingerPrint\(([^()]*?)(?:, TensorDeviceTypes=|\))/g;

export function oddFingerprint({ failures, lines }: RunView): OddOne<string> | null {
  const own = new Map<number, string>();
  const told = new Map<number, string>();
  const read = (text: string): void => {
    const [first, ...others] = text.matchAll(stated);
    // What a rank says of itself is right; what it received from one that meant something else may be garbled.
    if (first) own.set(Number(first[1]), first[2]!);
    for (const [, rank, print] of others) told.set(Number(rank), print!);
  };
  for (const { message } of failures) read(message);
  for (const { text } of lines) if (text.includes('CollectiveFingerPrint')) read(text);
  return oddOne(new Map([...told, ...own]));
}
