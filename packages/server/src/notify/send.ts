// One message to one channel.
import { sendEmail } from './channels/email.js';
import { sendSlack } from './channels/slack.js';
import { sendWebhook } from './channels/webhook.js';
import type { Channel, NotifySettings } from './config.js';
import type { Delivery } from './delivery.js';
import type { Facts } from './facts.js';
import { defaultText, defaultTitle, fill } from './template.js';

export function send(
  { address }: Pick<NotifySettings, 'address'>,
  channel: Channel,
  id: string,
  facts: Facts,
): Promise<Delivery> {
  const path = `/p/${encodeURIComponent(facts.project)}/runs/${facts.run_id}`;
  const link = address === undefined ? '' : new URL(path, address).href;
  const values = { ...facts, link };
  const title = fill(channel.title ?? defaultTitle, values).replaceAll(/\s+/g, ' ');
  const message = { id, title, text: fill(channel.text ?? defaultText, values), link, facts };
  if (channel.kind === 'webhook') return sendWebhook(channel, message);
  return channel.kind === 'slack' ? sendSlack(channel, message) : sendEmail(channel, message);
}
