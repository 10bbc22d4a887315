// People who signed in with the issuer. What their browser shows is kept as a digest; what they may see follows from their groups and today's
// settings, each time that they ask.
import { randomBytes } from 'node:crypto';
import type { OidcSettings } from '../oidc/config.js';
import type { Person, Secrets } from '../oidc/issuer.js';
import type { Connection } from './database.js';
import { type Bearer, type Grant, hashOf } from './tokens.js';

export interface SignIn extends Secrets {
  /** Where they wanted to go. */
  readonly next: string;
}

/** Returns what the browser must show when it comes back. */
export async function keepSignIn(connection: Connection, signIn: SignIn, minutes: number): Promise<string> {
  const drawn = draw();
  await connection.query('delete from sign_ins where expires < now()');
  await connection.query(
    `insert into sign_ins (hash, state, nonce, verifier, next, expires)
     values ($1, $2, $3, $4, $5, now() + make_interval(mins => $6))`,
    [hashOf(drawn), signIn.state, signIn.nonce, signIn.verifier, signIn.next, minutes],
  );
  return drawn;
}

/** Once: who comes with the same again finds nothing. */
export async function takeSignIn(connection: Connection, shown: string): Promise<SignIn | null> {
  const [row] = await connection.query<SignIn & { fresh: boolean }>(
    'delete from sign_ins where hash = $1 returning state, nonce, verifier, next, expires > now() as fresh',
    [hashOf(shown)],
  );
  return row?.fresh ? row : null;
}

export async function keepSession(connection: Connection, person: Person, hours: number): Promise<string> {
  const drawn = draw();
  await connection.query('delete from sessions where expires < now()');
  await connection.query(
    `insert into sessions (hash, subject, name, groups, id_token, expires)
     values ($1, $2, $3, $4::text[], $5, now() + make_interval(secs => $6))`,
    [hashOf(drawn), person.subject, person.name, person.groups, person.idToken, hours * 3_600],
  );
  return drawn;
}

export async function findSession(
  connection: Connection,
  shown: string,
  access: OidcSettings['access'],
): Promise<Bearer | null> {
  const [row] = await connection.query<{ subject: string; name: string; groups: string[] }>(
    'select subject, name, groups from sessions where hash = $1 and expires > now()',
    [hashOf(shown)],
  );
  if (row === undefined) return null;
  const theirs = access.filter(({ group }) => row.groups.includes(group));
  const grants = await grantsOf(connection, theirs);
  return { id: null, name: row.name, key: `person ${row.subject}`, grants };
}

async function grantsOf(connection: Connection, access: OidcSettings['access']): Promise<Grant[]> {
  if (access.length === 0) return [];
  const projects = await connection.query<{ id: string; name: string }>(
    'select id, name from projects where name = any($1::text[])',
    [access.map(({ project }) => project)],
  );
  return access.flatMap(({ project, role }): Grant[] => {
    if (project === '*') return [{ project: null, role }];
    const found = projects.find(({ name }) => name === project);
    return found === undefined ? [] : [{ project: found.id, role }];
  });
}

/** What the issuer is shown when they sign out there; null when the session is over already. */
export async function endSession(connection: Connection, shown: string): Promise<string | null> {
  const [row] = await connection.query<{ id_token: string }>(
    'delete from sessions where hash = $1 returning id_token',
    [hashOf(shown)],
  );
  return row?.id_token ?? null;
}

function draw(): string {
  return randomBytes(32).toString('base64url');
}
