// Who of a team may sign in, and what they see: the issuer of the settings, and the groups that it names.
import { z } from 'zod';
import { parseSettings, type Variables } from '../settings-file.js';
import { roles } from '../store/tokens.js';

const loopback = ['localhost', '127.0.0.1', '[::1]'];

/** Secrets travel there: encrypted, or not at all beyond this machine. */
const guarded = z
  .url({ protocol: /^https?$/ })
  .refine((text) => text.startsWith('https:') || loopback.includes(new URL(text).hostname), {
    message: 'must be https://, or be on this machine',
  });
const origin = guarded.transform((text) => new URL(text).origin);

const configuration = z.strictObject({
  issuer: guarded,
  client_id: z.string().min(1),
  /** Without it the client is public, and proves itself by PKCE alone. */
  client_secret: z.string().min(1).optional(),
  /** Where people reach the server. */
  address: origin,
  /** Where endpoints of the issuer may lie beside its own origin. */
  origins: z.array(origin).default([]),
  scopes: z.array(z.string().regex(/^\S+$/)).default(['openid', 'profile', 'email', 'groups']),
  /** The claims that say which groups somebody is in, and what to call them. */
  groups: z.string().min(1).default('groups'),
  name: z.string().min(1).default('email'),
  session_hours: z
    .number()
    .positive()
    .max(24 * 30)
    .default(12),
  access: z
    .array(
      z.strictObject({
        group: z.string().min(1),
        /** `*`: every project. */
        project: z.string().min(1),
        role: z.enum(roles).default('read'),
      }),
    )
    .min(1),
});

export type OidcSettings = z.infer<typeof configuration>;

const kind = {
  what: 'signing in',
  schema: configuration,
  advice: 'See "Signing in with the issuer of your team" in docs/server.md.',
};

export function parseOidc(value: unknown, environment: Variables): OidcSettings {
  return parseSettings(kind, value, environment);
}
