// Everything that is known, as JSON; signed where there is a secret.
import { createHmac } from 'node:crypto';
import type { ChannelOf } from '../config.js';
import type { Delivery, Message } from '../delivery.js';
import { post } from './post.js';

export function sendWebhook({ url, secret }: ChannelOf<'webhook'>, message: Message): Promise<Delivery> {
  const { id, title, text, link, facts } = message;
  const body = JSON.stringify({ id, title, text, link, ...facts });
  const signature = secret && `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  return post(url, body, {
    'grus-notification': id,
    ...(signature ? { 'grus-signature': signature } : {}),
  });
}
