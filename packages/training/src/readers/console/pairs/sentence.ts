// Sentences that tell a value: `Training loss at step 40: 1.89`, `Score after epoch 3 is 2.1`, `learning rate is 0.1`.

/** What stands between a counter and the value behind it. */
const behindCounter = /^\d[\d,]*(?:\/\d+)?[)\]]{0,2}(?: (?:is|was))?$/;
/** What stands before a counter: `Loss after epoch`, `Average loss (step`. */
const beforeCounter =
  /^(.*?)[\s([,@-]+(?:(?:after|at|for|in|of|on) )?(?:the )?(?:end of )?(?:the )?(?:global[_ ])?(?:epochs?|steps?|iter(?:ation)?s?|round|batch|update)[\s#:=]*$/i;

/** The name before a counter whose digits begin at `counted`, where the value stands behind it; empty where there is none. */
export function nameAround(bytes: Buffer, from: number, counted: number, to: number): string {
  if (!behindCounter.test(bytes.toString('latin1', counted, to))) return '';
  return beforeCounter.exec(bytes.toString('utf8', from, counted))?.[1]?.trim() ?? '';
}

/** The length of an ` is` or ` was` that ends the name before a value, without its blank; 0 where there is none. */
export function verbLength(bytes: Buffer, from: number, end: number): number {
  if (bytes[end - 1] !== 0x73) return 0;
  const length = bytes[end - 2] === 0x69 ? 2 : bytes[end - 2] === 0x61 && bytes[end - 3] === 0x77 ? 3 : 0;
  const at = end - length;
  return length > 0 && at >= from && (at === from || bytes[at - 1] === 0x20) ? length : 0;
}
