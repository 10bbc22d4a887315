// What the parts of a client need of it: to send a message and follow what comes back. The client implements it.
import type { Kernel } from '../kernel.js';
import type { Message } from '../protocol/message.js';
import type { Transport } from '../transport.js';
import type { Activity } from './activity.js';
import type { Exchange } from './exchange.js';

export interface Conversation
  extends Pick<Kernel, 'label' | 'owned' | 'request' | 'interrupt' | 'waitUntilIdle' | 'close'> {
  readonly transport: Transport;
  readonly activity: Activity;
  /** Sends a message and keeps track of what comes back, until the exchange is done. */
  open(channel: 'shell' | 'control', message: Message, onIopub?: (message: Message) => void): Exchange;
  done(exchange: Exchange): void;
}
