// Who is told what: the channels of the configuration. Nothing is ever sent to an address that is not in it.
import { GrusError } from '@grus/core';
import { z } from 'zod';
import { parseSettings, type Variables } from '../settings-file.js';
import { events } from './facts.js';
import { unknownNames } from './template.js';

const template = z
  .string()
  .max(5_000)
  .superRefine((text, context) => {
    for (const name of unknownNames(text))
      context.addIssue({ code: 'custom', message: `{${name}} is not known` });
  });

const common = {
  name: z.string().min(1).max(100),
  on: z
    .array(z.enum(events))
    .min(1)
    .default([...events]),
  /** Without it: every project. */
  projects: z.array(z.string()).min(1).optional(),
  title: template.optional(),
  text: template.optional(),
};
const httpAddress = z.url({ protocol: /^https?$/ });

const channel = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('webhook'),
    url: httpAddress,
    secret: z.string().min(8).optional(),
    ...common,
  }),
  z.strictObject({ kind: z.literal('slack'), url: httpAddress, ...common }),
  z.strictObject({
    kind: z.literal('email'),
    smtp: z.url({ protocol: /^smtps?$/ }),
    from: z.email(),
    to: z.array(z.email()).min(1),
    ...common,
  }),
]);

const configuration = z.strictObject({
  /** Where people reach the server, for links. */
  address: httpAddress.optional(),
  channel: z.array(channel).min(1),
});

export type NotifySettings = z.infer<typeof configuration>;
export type Channel = NotifySettings['channel'][number];
export type ChannelOf<Kind extends Channel['kind']> = Extract<Channel, { kind: Kind }>;

const kind = {
  what: 'notifications',
  schema: configuration,
  advice: 'See "Notifications" in docs/server.md.',
};

export function parseNotify(value: unknown, environment: Variables): NotifySettings {
  const settings = parseSettings(kind, value, environment);
  const names = settings.channel.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined)
    throw new GrusError(`notifications: there are two channels ${twice}`, {
      advice: 'Give each a name of its own.',
    });
  return settings;
}
