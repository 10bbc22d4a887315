// Talks to the issuer: where to send a browser, and who came back from there. It asks nobody but the origins of the settings, whatever the
// issuer says of itself, and follows no redirection.
import { GrusError } from '@grus/core';
import * as oidc from 'openid-client';
import type { OidcSettings } from './config.js';

/** What a sign-in that is under way must be remembered by. */
export interface Secrets {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface Person {
  readonly subject: string;
  readonly name: string;
  readonly groups: readonly string[];
  readonly idToken: string;
}

export interface Issuer {
  /** Where the browser goes to sign in. */
  begin(): Promise<Secrets & { readonly url: URL }>;
  /** `search`: what it brought back. */
  finish(search: string, secrets: Secrets): Promise<Person>;
  /** Where it goes to sign out there too; null where the issuer offers no such place, or is away. */
  end(idToken: string): Promise<URL | null>;
}

/** The issuer did not answer, or not as an issuer does: another time may go well. */
export class IssuerAwayError extends GrusError {
  override readonly name = 'IssuerAwayError';
}

/** The issuer, or what the browser brought from there, says no. */
export class SignInRefusedError extends GrusError {
  override readonly name = 'SignInRefusedError';
}

export const callbackPath = '/oidc/callback';
const timeoutSeconds = 10;
const endpoints = [
  'authorization_endpoint',
  'token_endpoint',
  'userinfo_endpoint',
  'jwks_uri',
  'end_session_endpoint',
] as const;

export function allowedOrigins({ issuer, origins }: OidcSettings): string[] {
  return [new URL(issuer).origin, ...origins];
}

export function openIssuer(settings: OidcSettings): Issuer {
  const allowed = allowedOrigins(settings);
  const known = discovered(settings, allowed);
  const redirect = `${settings.address}${callbackPath}`;
  return {
    begin: async () => {
      const configuration = await known();
      const secrets = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        verifier: oidc.randomPKCECodeVerifier(),
      };
      const url = oidc.buildAuthorizationUrl(configuration, {
        redirect_uri: redirect,
        scope: settings.scopes.join(' '),
        state: secrets.state,
        nonce: secrets.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(secrets.verifier),
        code_challenge_method: 'S256',
      });
      return { ...secrets, url };
    },
    finish: async (search, { state, nonce, verifier }) => {
      const configuration = await known();
      const checks = {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      };
      const tokens = await oidc
        .authorizationCodeGrant(configuration, new URL(`${redirect}${search}`), checks)
        .catch(toldApart);
      const claims = tokens.claims()!;
      const all =
        claims[settings.groups] === undefined && configuration.serverMetadata().userinfo_endpoint
          ? {
              ...(await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub).catch(toldApart)),
              ...claims,
            }
          : claims;
      return personOf(all, settings, tokens.id_token!);
    },
    end: async (idToken) => {
      const configuration = await known().catch(() => null);
      if (!configuration?.serverMetadata().end_session_endpoint) return null;
      return oidc.buildEndSessionUrl(configuration, {
        id_token_hint: idToken,
        post_logout_redirect_uri: `${settings.address}/login`,
      });
    },
  };
}

/** Asked for when somebody first signs in, so that the server starts without the issuer too; kept once it answered. */
function discovered(settings: OidcSettings, allowed: readonly string[]): () => Promise<oidc.Configuration> {
  let kept: oidc.Configuration | null = null;
  const fetchAllowed: oidc.CustomFetch = async (url, options) => {
    if (!allowed.includes(new URL(url).origin)) throw elsewhere(url);
    return fetch(url, { ...options, redirect: 'manual' } as RequestInit);
  };
  return async () => {
    if (kept !== null) return kept;
    const issuer = new URL(settings.issuer);
    const found = await oidc
      .discovery(issuer, settings.client_id, {}, proofOf(settings), {
        [oidc.customFetch]: fetchAllowed,
        timeout: timeoutSeconds,
        execute: [
          oidc.enableNonRepudiationChecks,
          // On this machine only: the settings admit no other.
          ...(issuer.protocol === 'http:' ? [oidc.allowInsecureRequests] : []),
        ],
      })
      .catch(away);
    const metadata = found.serverMetadata();
    for (const name of endpoints) {
      const url = metadata[name];
      if (url !== undefined && !allowed.includes(new URL(url).origin)) throw elsewhere(url);
    }
    kept = found;
    return kept;
  };
}

/** As OpenID Connect says: in a header, unless the issuer takes it in the body alone. */
function proofOf({ client_secret }: OidcSettings): oidc.ClientAuth {
  if (client_secret === undefined) return oidc.None();
  const [inHeader, inBody] = [oidc.ClientSecretBasic(client_secret), oidc.ClientSecretPost(client_secret)];
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return (methods.includes('client_secret_basic') ? inHeader : inBody)(server, ...rest);
  };
}

function elsewhere(url: string): IssuerAwayError {
  const { origin } = new URL(url);
  return new IssuerAwayError(`the issuer names an address at ${origin}, which the settings do not`, {
    advice: `An admin adds "${origin}" to origins in the file of --oidc, if it is to be trusted. Sign in with a token meanwhile.`,
  });
}

function away(cause: unknown): never {
  throw new IssuerAwayError('the issuer that people sign in with cannot be reached', {
    advice: 'Try again in a moment, or sign in with a token.',
    cause,
  });
}

/** Codes of the library for an answer that is no issuer's. */
const noAnswer = [
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
];

/** An answer that says no is told apart from none. */
function toldApart(cause: unknown): never {
  const advice = 'Begin again at /login.';
  if (cause instanceof oidc.AuthorizationResponseError || cause instanceof oidc.ResponseBodyError)
    throw new SignInRefusedError(`the issuer refused: ${cause.error}`, { advice, cause });
  if (
    cause instanceof oidc.WWWAuthenticateChallengeError ||
    (cause instanceof oidc.ClientError && !noAnswer.includes(cause.code ?? ''))
  )
    throw new SignInRefusedError('what came back from the issuer does not hold', { advice, cause });
  return away(cause);
}

function personOf(
  claims: Readonly<Record<string, unknown>>,
  settings: OidcSettings,
  idToken: string,
): Person {
  const subject = String(claims['sub']);
  const groups = [claims[settings.groups] ?? []].flat().filter((group) => typeof group === 'string');
  const name = claims[settings.name];
  const unproven = settings.name === 'email' && claims['email_verified'] === false;
  return { subject, name: typeof name === 'string' && !unproven ? name : subject, groups, idToken };
}
