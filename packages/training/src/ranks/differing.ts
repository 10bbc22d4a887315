// What libraries say when they notice by themselves that two ranks did not mean the same collective.
import type { RunView } from '../features/view.js';

/** What libraries print when they notice that two ranks did not mean the same collective. Who of them is wrong they cannot know. */
export const differing =
  /op\.preamble\.length <= op\.nbytes|Detected mismatch between collectives on ranks|distributed collective mismatch|ncclInvalidUsage.*mismatch/i;

export function saidToDiffer({ lines }: RunView): boolean {
  return lines.some(({ text }) => text.length < 4000 && differing.test(text));
}
