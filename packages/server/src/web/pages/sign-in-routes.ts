// Signing in and out: with a token, or with the issuer of the team.
import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { callbackPath, IssuerAwayError, SignInRefusedError } from '../../oidc/issuer.js';
import { endSession, keepSession, keepSignIn, takeSignIn } from '../../store/sessions.js';
import { findToken } from '../../store/tokens.js';
import { addressOf, cookieName, tooMany, wrongTokens } from '../auth.js';
import type { Environment, Oidc, Parts, Routes } from '../context.js';
import { Problem } from '../problem.js';
import { rateLimit } from '../rate.js';
import { type SignInPlace, signInPage } from './sign-in.js';

const weekSeconds = 7 * 24 * 3600;
const signInPath = '/oidc/sign-in';
const signInMinutes = 10;
/** Each is kept for a while, and nobody has shown who they are: an address that asks may be a proxy of many. */
const signInsPerSecond = 5;
const signInsAtOnce = 100;

export function signInRoutes(app: Routes, parts: Parts): void {
  const { database, oidc } = parts;
  const issuer = oidc === null ? null : placeOf(oidc);
  const wrong = wrongTokens();

  app.get('/login', (context) =>
    context.html(signInPage(ownPath(context.req.query('next')), { wrong: false, issuer })),
  );
  app.post('/login', async (context) => {
    const { token, next } = await context.req.parseBody();
    const path = ownPath(next);
    const bearer = typeof token === 'string' ? await findToken(database, token.trim()) : null;
    if (bearer === null && !wrong.allow(addressOf(context))) throw tooMany();
    if (bearer === null) return context.html(signInPage(path, { wrong: true, issuer }), 401);
    const secure = context.req.header('x-forwarded-proto') === 'https';
    giveCookie(context, cookieName, String(token).trim(), { secure, maxAge: weekSeconds });
    return context.redirect(path, 303);
  });
  app.post('/logout', async (context) => {
    deleteCookie(context, cookieName, { path: '/' });
    return context.redirect((oidc && (await signOut(context, parts, oidc)))?.href ?? '/login', 303);
  });
  if (oidc !== null) issuerRoutes(app, parts, oidc);
}

function issuerRoutes(app: Routes, { database }: Parts, { settings, issuer, cookies }: Oidc): void {
  const secure = isSecure(settings);
  const beginnings = rateLimit(signInsPerSecond, signInsAtOnce);
  app.get(signInPath, async (context) => {
    if (!beginnings.allow(addressOf(context))) throw tooMany();
    const { url, ...secrets } = await issuer.begin().catch(asProblem);
    const signIn = { ...secrets, next: ownPath(context.req.query('next')) };
    const shown = await keepSignIn(database, signIn, signInMinutes);
    giveCookie(context, cookies.signIn, shown, { secure, maxAge: signInMinutes * 60 });
    return context.redirect(url.href);
  });
  app.get(callbackPath, async (context) => {
    const shown = getCookie(context, cookies.signIn);
    deleteCookie(context, cookies.signIn, { path: '/', secure });
    const signIn = shown === undefined ? null : await takeSignIn(database, shown);
    if (signIn === null)
      throw new Problem(403, 'this browser has not begun to sign in', 'Begin again at /login.');
    const { search } = new URL(context.req.url);
    const person = await issuer.finish(search, signIn).catch(asProblem);
    const session = await keepSession(database, person, settings.session_hours);
    // A token that was shown before would speak in place of the person.
    deleteCookie(context, cookieName, { path: '/' });
    giveCookie(context, cookies.session, session, { secure, maxAge: settings.session_hours * 3_600 });
    return context.redirect(signIn.next, 303);
  });
}

/** Where the issuer would be told of it; null where it is not, or nobody was signed in there. */
async function signOut(
  context: Context<Environment>,
  { database }: Parts,
  { settings, issuer, cookies }: Oidc,
): Promise<URL | null> {
  const shown = getCookie(context, cookies.session);
  deleteCookie(context, cookies.session, { path: '/', secure: isSecure(settings) });
  const idToken = shown === undefined ? null : await endSession(database, shown);
  return idToken === null ? null : issuer.end(idToken);
}

function asProblem(error: unknown): never {
  if (error instanceof IssuerAwayError) throw new Problem(503, error.message, error.advice ?? '');
  if (error instanceof SignInRefusedError) throw new Problem(403, error.message, error.advice ?? '');
  throw error;
}

function placeOf({ settings }: Oidc): SignInPlace {
  return { address: `${settings.address}${signInPath}`, host: new URL(settings.issuer).host };
}

function isSecure({ address }: Oidc['settings']): boolean {
  return address.startsWith('https:');
}

function giveCookie(
  context: Context<Environment>,
  name: string,
  value: string,
  { secure, maxAge }: { readonly secure: boolean; readonly maxAge: number },
): void {
  setCookie(context, name, value, { httpOnly: true, sameSite: 'Lax', path: '/', maxAge, secure });
}

/** Never to another site. */
function ownPath(text: unknown): string {
  return typeof text === 'string' && /^\/(?![/\\])[\w\-./?=&%~+]*$/.test(text) ? text : '/';
}
