// What came of a message on its way out. `again`: it surely did not arrive. `unclear`: it may have, so that it is never sent a second time.
import type { Facts } from './facts.js';

export type Delivery =
  | { readonly kind: 'sent' }
  | { readonly kind: 'again' | 'refused' | 'unclear'; readonly reason: string };

export interface Message {
  /** The same in every try: receivers can tell by it. */
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly link: string;
  readonly facts: Facts;
}

export const mostMs = 15_000;
