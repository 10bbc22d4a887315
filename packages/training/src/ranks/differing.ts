// What libraries say when they notice by themselves that two ranks did not mean the same collective.
import type { RunView } from '../features/view.js';
import { differing } from './consequence.js';

export function saidToDiffer({ lines }: RunView): boolean {
  return lines.some(({ text }) => text.length < 4000 && differing.test(text));
}
