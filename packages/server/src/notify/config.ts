// Who is told what: the channels of the configuration. Nothing is ever sent to an address that is not in it.
import { GrusError } from '@grus/core';
import { z } from 'zod';
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

/** `env:NAME` in place of an address or a secret is read from the environment. */
export function parseNotify(
  value: unknown,
  environment: Readonly<Record<string, string | undefined>>,
): NotifySettings {
  const parsed = configuration.safeParse(withEnvironment(value, environment));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new GrusError(`notifications: ${issue?.path.join('.') || 'the file'}: ${issue?.message}`, {
      advice: 'See "Notifications" in docs/server.md.',
    });
  }
  const names = parsed.data.channel.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined)
    throw new GrusError(`notifications: there are two channels ${twice}`, {
      advice: 'Give each a name of its own.',
    });
  return parsed.data;
}

function withEnvironment(value: unknown, environment: Readonly<Record<string, string | undefined>>): unknown {
  if (Array.isArray(value)) return value.map((one) => withEnvironment(one, environment));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [key, withEnvironment(one, environment)]),
    );
  const [, name] = (typeof value === 'string' && /^env:(\w+)$/.exec(value)) || [];
  if (name === undefined) return value;
  const found = environment[name];
  if (found === undefined)
    throw new GrusError(`notifications: ${name} is not set`, {
      advice: `Set it in the environment of grus server, or write the address instead of env:${name}.`,
    });
  return found;
}
