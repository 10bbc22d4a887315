// Takes what is to be told from the queue and sends it. Before a try the row says so: what died in the middle of one is not sent again,
// since it may have arrived.
import { setTimeout as wait } from 'node:timers/promises';
import { visible } from '@grus/core';
import type { NotifyQueue, TakenNotification } from '../queue/queue.js';
import type { Database } from '../store/database.js';
import { beginTry, endTry, keepChannels } from '../store/notifications.js';
import type { NotifySettings } from './config.js';
import type { Delivery } from './delivery.js';
import { send } from './send.js';

export interface NotifierParts {
  readonly database: Database;
  readonly queue: NotifyQueue;
  readonly settings: NotifySettings;
  readonly onTrouble: (text: string) => void;
}

const restMs = 500;
const mostTries = 6;

export async function startNotifier(parts: NotifierParts): Promise<{ stop(): Promise<void> }> {
  const { database, queue, settings, onTrouble } = parts;
  const stopped = new AbortController();
  await keepChannels(
    database,
    settings.channel.map(({ name, on, projects }) => ({ name, events: on, projects: projects ?? null })),
  );

  const tell = async (job: TakenNotification): Promise<void> => {
    const begun = await beginTry(database, job.notification);
    if (begun === null) {
      await database.transaction((connection) => queue.done(job, connection));
      return;
    }
    const channel = settings.channel.find(({ name }) => name === begun.channel);
    const delivery: Delivery =
      channel === undefined
        ? { kind: 'refused', reason: 'the configuration names no such channel any more' }
        : await send(settings, channel, job.notification, begun.facts);
    const isLast = begun.tries >= mostTries;
    const state = delivery.kind === 'again' ? (isLast ? 'refused' : 'waiting') : delivery.kind;
    const trouble = delivery.kind === 'sent' ? null : visible(delivery.reason);
    await database.transaction(async (connection) => {
      await endTry(connection, job.notification, state, trouble);
      if (state !== 'waiting') await queue.done(job, connection);
    });
    if (state === 'waiting') await queue.failed(job, trouble ?? '');
    if (trouble !== null) onTrouble(`${begun.channel} was not told: ${trouble}`);
  };
  const loop = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      const job = await queue.take().catch(() => null);
      if (job === null) await wait(restMs, undefined, { signal: stopped.signal }).catch(() => undefined);
      else await tell(job).catch((error: Error) => onTrouble(error.message));
    }
  };
  const running = loop();
  return {
    stop: () => {
      stopped.abort();
      return running;
    },
  };
}
