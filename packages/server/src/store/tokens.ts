// Who may do what: tokens of a project or of all, kept as digests. A token is 24 drawn bytes, so that a plain digest is enough.
import { createHash, randomBytes } from 'node:crypto';
import type { Connection } from './database.js';

export const roles = ['read', 'write', 'admin'] as const;
export type Role = (typeof roles)[number];

export interface Grant {
  readonly role: Role;
  /** Null: every project. */
  readonly project: string | null;
}

/** Whoever asks: a token, or somebody who signed in. */
export interface Bearer {
  /** Of the token; null for people. */
  readonly id: string | null;
  readonly name: string;
  /** Whose requests are counted together. */
  readonly key: string;
  readonly grants: readonly Grant[];
}

export interface TokenRow {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly created: Date;
}

/** Returns the token itself, which is kept nowhere. */
export async function createToken(
  connection: Connection,
  token: { readonly name: string; readonly role: Role; readonly project: string | null },
): Promise<{ id: string; token: string }> {
  const drawn = `grus_${randomBytes(24).toString('base64url')}`;
  const [row] = await connection.query<{ id: string }>(
    'insert into tokens (name, role, project_id, hash) values ($1, $2, $3, $4) returning id',
    [token.name, token.role, token.project, hashOf(drawn)],
  );
  return { id: row!.id, token: drawn };
}

export async function findToken(connection: Connection, token: string): Promise<Bearer | null> {
  const [row] = await connection.query<Grant & { id: string; name: string }>(
    'select id, name, role, project_id as project from tokens where hash = $1 and revoked is null',
    [hashOf(token)],
  );
  if (row === undefined) return null;
  const { id, name, role, project } = row;
  return { id, name, key: id, grants: [{ role, project }] };
}

export async function listTokens(connection: Connection, project: string): Promise<TokenRow[]> {
  return connection.query(
    'select id, name, role, created from tokens where project_id = $1 and revoked is null order by created',
    [project],
  );
}

/** False when the project has no such token. */
export async function revokeToken(connection: Connection, project: string, id: string): Promise<boolean> {
  const rows = await connection.query(
    'update tokens set revoked = now() where id = $1 and project_id = $2 and revoked is null returning id',
    [id, project],
  );
  return rows.length > 0;
}

/** What they may do in a project; null: it does not exist for them. */
export function roleIn({ grants }: Bearer, project: string): Role | null {
  const ranks = grants
    .filter((grant) => grant.project === null || grant.project === project)
    .map(({ role }) => roles.indexOf(role));
  return ranks.length === 0 ? null : roles[Math.max(...ranks)]!;
}

export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
