// A reason as it may be told to a model: its code is Grus's own, its data may be anybody's.
import type { Reason } from '../reasons/reason.js';
import type { Disclosure } from './disclosure.js';
import { templateOf } from './template.js';

/** The reason with every text of its data as a template. */
export function toldReason(reason: Reason, disclosure: Disclosure): Reason {
  return told(reason, disclosure) as Reason;
}

function told(value: unknown, disclosure: Disclosure): unknown {
  if (typeof value === 'string') return templateOf(value, disclosure);
  if (Array.isArray(value)) return value.map((item) => told(item, disclosure));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, held]) => [name, name === 'code' ? held : told(held, disclosure)]),
  );
}
