// What stands once before the names that follow it: `grad L2: fc1=5.9e-10 fc2=…`, `x: nan=0 min=-4`, `dead h1 0.4 h2 0.5`.
import type { MetricName } from '../../../record/metrics.js';
import { sign, textOf } from '../../bytes/characters.js';
import type { KeyInfo, KeyTable } from './key-table.js';

/** What is told of the layers of a model, or of its inputs, one by one. */
const ofParts: ReadonlySet<MetricName> = new Set([
  'grad_norm',
  'param_norm',
  'dead_fraction',
  'input_nan_fraction',
] as const);

const longest = 24;
const longestSentence = 72;

export class Heading {
  private text = '';

  constructor(private readonly table: KeyTable) {}

  clear(): void {
    this.text = '';
  }

  /** A name that says nothing by itself, read together with the heading before it. */
  under(own: KeyInfo | null, bytes: Buffer, start: number, from: number, to: number): KeyInfo | null {
    const stated = headingBefore(bytes, start, from);
    if (stated !== '') this.text = stated;
    const known = own !== null && own.role === 'metric' && own.identity.metric !== 'other';
    const opens = known && own.identity.subject !== null && ofParts.has(own.identity.metric);
    // Most names are known and open nothing: of these the text is not needed.
    if (!opens && (known || this.text === '')) return own;
    const name = textOf(bytes, from, to);
    if (opens && name.includes(' ')) this.text = name.slice(0, name.lastIndexOf(' '));
    if (known || name.includes(' ') || own?.role === 'step') return own;
    const found = this.table.named(`${this.text} ${name}`, 'latin1');
    return found?.role === 'metric' && ofParts.has(found.identity.metric) ? found : own;
  }
}

/** Said of units in a whole sentence before the colon: `[relu] never active on 2048 samples: conv2 41 %`. */
const ofSilentUnits = /\b(?:dead|never (?:active|fire\w*)|inactive|always zero)/i;
const fewWords = /(?:^|[\s|,;\]])([A-Za-z][\w-]*(?: [A-Za-z][\w-]*)?)$/;

/** One or two words and a colon right before a name, or what a whole sentence before it is about; empty where there are none. */
function headingBefore(bytes: Buffer, start: number, nameAt: number): string {
  let at = nameAt - 1;
  while (at > start && bytes[at] === sign.blank) at--;
  if (at <= start || bytes[at] !== sign.colon || at === nameAt - 1) return '';
  const before = textOf(bytes, Math.max(start, at - longestSentence), at);
  if (ofSilentUnits.test(before)) return 'dead';
  return fewWords.exec(before.slice(-longest))?.[1] ?? '';
}
