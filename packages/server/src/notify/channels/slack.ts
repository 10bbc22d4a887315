// An incoming webhook as Slack, Mattermost and others have it. What came from a run is escaped: it can address nobody and link nowhere.
import type { ChannelOf } from '../config.js';
import type { Delivery, Message } from '../delivery.js';
import { post } from './post.js';

export function sendSlack({ url }: ChannelOf<'slack'>, { title, text }: Message): Promise<Delivery> {
  return post(url, JSON.stringify({ text: escaped(`${title}\n${text}`) }));
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
