// What every route works with.
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { ArtefactStore } from '../artefacts/files.js';
import type { Comparer } from '../judging/comparer.js';
import type { OidcSettings } from '../oidc/config.js';
import type { Issuer } from '../oidc/issuer.js';
import type { Queue } from '../queue/queue.js';
import type { Database } from '../store/database.js';
import type { Bearer } from '../store/tokens.js';

export interface Limits {
  /** Bytes of one file. */
  readonly file: number;
  /** Bytes of all files of one run. */
  readonly run: number;
  /** Requests a second of one token. */
  readonly requests: number;
}

export interface StoreParts {
  readonly database: Database;
  readonly queue: Queue;
  readonly artefacts: ArtefactStore;
}

export interface Parts extends StoreParts {
  readonly comparer: Comparer;
  readonly limits: Limits;
  /** How people sign in beside tokens; null: not at all. */
  readonly oidc: Oidc | null;
}

export interface Oidc {
  readonly settings: OidcSettings;
  readonly issuer: Issuer;
  readonly cookies: { readonly signIn: string; readonly session: string };
}

export interface Environment {
  Bindings: { readonly incoming?: { readonly socket: { readonly remoteAddress?: string } } };
  Variables: { bearer: Bearer };
}

export type Routes = OpenAPIHono<Environment>;
