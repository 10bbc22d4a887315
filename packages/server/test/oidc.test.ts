// People sign in with a real OpenID Connect provider: what their groups let them see, and everything that must not let anybody in.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium } from '../../../scripts/lib/chromium.mjs';
import { parseOidc } from '../src/index.js';
import { openDatabase } from '../src/store/open.js';
import { ensureProject } from '../src/store/projects.js';
import { endSession, findSession, keepSession, keepSignIn, takeSignIn } from '../src/store/sessions.js';
import { giveDatabase } from './support/embedded.js';
import { startIssuer, visitor } from './support/issuer.js';
import { findPostgres, freePort, type RealPostgres, startPostgres } from './support/postgres.js';
import { testServer } from './support/server.js';

const executablePath = findChromium();
const programs = findPostgres();
let postgres: RealPostgres | null = null;
let issuer: Awaited<ReturnType<typeof startIssuer>>;
let one: Awaited<ReturnType<typeof testServer>>;
let address: string;
const secret = 'a secret that is only for tests';

const settingsFor = (changes: object = {}) =>
  parseOidc(
    {
      issuer: issuer.url,
      client_id: 'grus',
      client_secret: 'env:SECRET',
      address,
      scopes: ['openid', 'email', 'groups'],
      access: [
        { group: 'vision-team', project: 'vision', role: 'write' },
        { group: 'guests', project: 'vision' },
        { group: 'guests', project: 'speech' },
        { group: 'platform', project: '*', role: 'admin' },
      ],
      ...changes,
    },
    { SECRET: secret },
  );

beforeAll(async () => {
  postgres = programs === null ? null : await startPostgres(programs);
  const [issuerPort, port] = [await freePort(), await freePort()];
  address = `http://127.0.0.1:${port}`;
  issuer = await startIssuer(issuerPort, address);
  one = await testServer({ database: postgres?.url, port, oidc: settingsFor() });
});
afterAll(async () => {
  await one?.stop();
  await issuer?.stop();
  await postgres?.stop();
});

describe('somebody who signs in', () => {
  it('sees the projects of their groups, each with its role, and no other', async () => {
    const ann = visitor();
    expect(await ann.signIn(address, 'ann+vision-team+unknown', '/p/vision?outcome=failed')).toMatchObject({
      status: 303,
      location: `${address}/p/vision?outcome=failed`,
    });
    expect((await ann.go(`${address}/p/vision`)).status).toBe(200);
    for (const path of ['/p/speech', '/p/default', '/p/nothing'])
      expect((await ann.go(`${address}${path}`)).status, path).toBe(404);
    expect((await ann.go(`${address}/`)).location).toBe(`${address}/p/vision`);
    expect(JSON.parse((await ann.go(`${address}/api/projects`)).text)).toEqual({
      projects: [{ name: 'vision' }],
    });
    const mark = (who: ReturnType<typeof visitor>, project: string) =>
      who.go(`${address}/p/${project}/recurrences/${'0'.repeat(16)}`, { assignee: 'ann' });
    expect((await mark(ann, 'vision')).status).toBe(303);

    const guest = visitor();
    await guest.signIn(address, 'gil+guests+vision-team');
    // The better of two roles, project by project.
    expect((await mark(guest, 'vision')).status).toBe(303);
    expect((await mark(guest, 'speech')).status).toBe(403);
    expect((await guest.go(`${address}/api/projects/speech/tokens`)).status).toBe(403);

    const { body } = await one.ask('/api/projects/vision/audit');
    expect(body.audit.map(({ token }: { token: string }) => token)).toContain('ann@team.example');
  });

  it('may do everything where the settings say so', async () => {
    const root = visitor();
    await root.signIn(address, 'root+platform');
    expect((await root.go(`${address}/api/projects/speech/tokens`)).status).toBe(200);
    expect((await root.go(`${address}/p/default`)).status).toBe(200);
  });

  it('without a group of the settings sees nothing', async () => {
    const bob = visitor();
    await bob.signIn(address, 'bob+others');
    expect((await bob.go(`${address}/`)).text).toContain('Nothing here is open to you, bob@team.example');
    expect((await bob.go(`${address}/p/vision`)).status).toBe(404);
    expect(JSON.parse((await bob.go(`${address}/api/projects`)).text)).toEqual({ projects: [] });
  });

  it('keeps a session that scripts and other sites cannot use', async () => {
    const ann = visitor();
    await ann.signIn(address, 'ann+vision-team');
    const given = ann.attributes.filter((line) => line.startsWith('grus_session='));
    expect(given).toEqual([expect.stringMatching(/; Path=\/; HttpOnly; SameSite=Lax$/)]);
    const cookie = `grus_session=${ann.cookie(new URL(address).host, 'grus_session')}`;
    const from = (origin: string) =>
      fetch(`${address}/p/vision/recurrences/${'0'.repeat(16)}`, {
        method: 'POST',
        body: new URLSearchParams({ assignee: 'eve' }),
        headers: { cookie, origin },
        redirect: 'manual',
      });
    expect((await from(address)).status).toBe(303);
    expect((await from('https://evil.example')).status).toBe(401);
  });
});

describe('nobody gets in', () => {
  const refused = async (who: ReturnType<typeof visitor>, callback: string) => {
    const answer = await who.go(callback);
    expect([answer.status, answer.location]).toEqual([403, null]);
    expect(who.cookie(new URL(address).host, 'grus_session')).toBeUndefined();
    expect((await who.go(`${address}/p/vision`)).location).toContain('/login');
    return answer.text;
  };

  it('with another state, nor with the right one afterwards', async () => {
    const eve = visitor();
    const callback = await eve.toCallback(address, 'eve+vision-team');
    const changed = new URL(callback);
    changed.searchParams.set('state', 'x'.repeat(43));
    expect(await refused(eve, changed.href)).toContain('does not hold');
    expect(await refused(eve, callback)).toContain('has not begun to sign in');
  });

  it('with the code of somebody else, or one that was used', async () => {
    const ann = visitor();
    const callback = await ann.toCallback(address, 'ann+vision-team');
    expect(await refused(visitor(), callback)).toContain('has not begun to sign in');
    expect((await ann.go(callback)).status).toBe(303);
    expect(await ann.go(callback)).toMatchObject({ status: 403, location: null });

    // A browser that did begin, with a code that was not made for it.
    const eve = visitor();
    const own = new URL(await eve.toCallback(address, 'eve'));
    const other = new URL(await visitor().toCallback(address, 'ann+vision-team'));
    own.searchParams.set('code', other.searchParams.get('code')!);
    expect(await refused(eve, own.href)).toContain('the issuer refused: invalid_grant');
  });

  it('when the issuer says no', async () => {
    const ann = visitor();
    const callback = new URL(await ann.toCallback(address, 'ann+vision-team'));
    callback.searchParams.delete('code');
    callback.searchParams.set('error', 'access_denied');
    expect(await refused(ann, callback.href)).toContain('the issuer refused: access_denied');
  });

  it('and nobody is sent to another site', async () => {
    for (const next of [
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      '/%0d%0aset-cookie:a',
      'evil',
    ])
      expect((await visitor().signIn(address, 'ann+vision-team', next)).location, next).toMatch(
        new RegExp(`^${address}/`),
      );
  });

  it.skipIf(programs === null)('when the session is over (skipped without PostgreSQL)', async () => {
    const ann = visitor();
    await ann.signIn(address, 'ann+vision-team');
    expect((await ann.go(`${address}/p/vision`)).status).toBe(200);
    const client = new pg.Client(postgres!.url);
    await client.connect();
    await client.query(`update sessions set expires = now() - interval '1 second'`);
    const late = visitor();
    const callback = await late.toCallback(address, 'ann+vision-team');
    await client.query(`update sign_ins set expires = now() - interval '1 second'`);
    await client.end();
    expect((await ann.go(`${address}/p/vision`)).location).toContain('/login');
    expect((await late.go(callback)).status).toBe(403);
  });

  it('after signing out, with the same cookie neither', async () => {
    const ann = visitor();
    await ann.signIn(address, 'ann+vision-team');
    const cookie = `grus_session=${ann.cookie(new URL(address).host, 'grus_session')}`;
    const left = new URL((await ann.go(`${address}/logout`, {})).location!);
    expect(left.origin).toBe(issuer.url);
    expect(left.searchParams.get('post_logout_redirect_uri')).toBe(`${address}/login`);
    const { status } = await fetch(`${address}/p/vision`, { headers: { cookie } });
    expect(status).toBe(401);
  });
});

it('is kept in the embedded database as well', async () => {
  const data = mkdtempSync(join(tmpdir(), 'grus-sessions-'));
  await giveDatabase(data);
  const database = await openDatabase({ data, database: undefined });
  const { access } = settingsFor();
  const secrets = { state: 's', nonce: 'n', verifier: 'v', next: '/' };
  try {
    const begun = await keepSignIn(database, secrets, 10);
    expect(await takeSignIn(database, begun)).toMatchObject(secrets);
    expect(await takeSignIn(database, begun)).toBeNull();
    const { id } = await ensureProject(database, 'vision');
    const person = { subject: '1', name: 'ann', groups: ['vision-team', 'a"b,{}'], idToken: 't' };
    const session = await keepSession(database, person, 12);
    expect(await findSession(database, session, access)).toMatchObject({
      name: 'ann',
      grants: [{ project: id, role: 'write' }],
    });
    await database.query(`update sessions set expires = now() - interval '1 second'`);
    expect(await findSession(database, session, access)).toBeNull();
    expect(await endSession(database, await keepSession(database, person, 12))).toBe('t');
    // What was over is gone with the next.
    expect(await database.query('select 1 from sessions')).toEqual([]);
  } finally {
    await database.close();
    rmSync(data, { recursive: true });
  }
});

describe('settings', () => {
  it('say what is wrong with them', () => {
    const parsed = (changes: object) => () => settingsFor(changes);
    expect(parsed({ issuer: 'http://login.example' })).toThrow(
      'issuer: must be https://, or be on this machine',
    );
    expect(parsed({ client_secret: 'env:NOTHING' })).toThrow('signing in: NOTHING is not set');
    expect(parsed({ access: [{ group: 'a', project: 'b', role: 'owner' }] })).toThrow('access.0.role');
    expect(parsed({ acess: [] })).toThrow('acess');
  });

  it('say whether cookies go over encrypted connections alone', async () => {
    const other = await testServer({
      database: postgres?.fresh(),
      oidc: settingsFor({ address: 'https://grus.example/' }),
    });
    try {
      const ann = visitor();
      const begun = new URL((await ann.go(`${other.server.url}/oidc/sign-in`)).location!);
      expect(begun.searchParams.get('redirect_uri')).toBe('https://grus.example/oidc/callback');
      expect(begun.searchParams.get('code_challenge_method')).toBe('S256');
      expect(ann.attributes).toEqual([
        expect.stringMatching(/^__Host-grus_sign_in=.*; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
      ]);
      expect((await ann.go(`${other.server.url}/oidc/callback?code=a&state=b`)).status).toBe(403);
      expect(ann.attributes.at(-1)).toMatch(/^__Host-grus_sign_in=; Max-Age=0; Path=\/; Secure$/);
    } finally {
      await other.stop();
    }
  });

  it('name every origin that is asked, whatever the issuer says of itself', async () => {
    // A real front of the issuer at another port: its discovery names endpoints that lie elsewhere.
    const { createServer } = await import('node:http');
    const asked: string[] = [];
    const front = createServer(async (request, response) => {
      asked.push(request.url ?? '');
      const answer = await fetch(`${issuer.url}${request.url}`);
      const own = `http://127.0.0.1:${(front.address() as { port: number }).port}`;
      const metadata = { ...((await answer.json()) as object), issuer: own };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(metadata));
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => front.once('listening', resolve));
    const issuerUrl = `http://127.0.0.1:${(front.address() as { port: number }).port}`;
    const other = await testServer({
      database: postgres?.fresh(),
      oidc: settingsFor({ issuer: issuerUrl }),
    });
    try {
      const answer = await visitor().go(`${other.server.url}/oidc/sign-in`);
      expect(answer.status).toBe(503);
      expect(answer.text).toContain(
        `the issuer names an address at ${issuer.url}, which the settings do not`,
      );
      expect(asked).toEqual(['/.well-known/openid-configuration']);
    } finally {
      await other.stop();
      front.close();
    }
  });
});

describe.skipIf(executablePath === undefined)('in a browser (skipped without Chromium)', () => {
  it('signs in, comes where it wanted to go, and signs out at both', async () => {
    const browser = await chromium.launch({
      executablePath: executablePath!,
      args: ['--no-sandbox', '--disable-dev-shm-usage'],
    });
    try {
      const page = await browser.newPage();
      const signIn = async () => {
        await page.getByRole('link', { name: `Sign in with ${new URL(issuer.url).host}` }).click();
        await page.locator('input[name=login]').fill('ann+vision-team');
        await page.locator('input[name=password]').fill('any');
        await page.locator('button[type=submit]').click();
      };
      await page.goto(`${address}/p/vision?outcome=failed`);
      await signIn();
      await page.waitForURL(`${address}/p/vision?outcome=failed`);
      await page.getByLabel('Outcome').waitFor();
      const cookies = await page.context().cookies(address);
      expect(cookies.find(({ name }) => name === 'grus_session')).toMatchObject({
        httpOnly: true,
        sameSite: 'Lax',
      });
      expect((await page.goto(`${address}/p/speech`))?.status()).toBe(404);
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('button', { name: 'Yes, sign me out' }).click();
      await page.waitForURL(`${address}/login*`);
      await page.goto(`${address}/p/vision`);
      // Asked for the name again: the issuer knows of it too.
      await signIn();
      await page.waitForURL(`${address}/p/vision`);
    } finally {
      await browser.close();
    }
  });
});

describe('without the issuer', () => {
  it('says so to whoever signs in, and knows tokens and sessions as before', async () => {
    const ann = visitor();
    await ann.signIn(address, 'ann+vision-team');
    const late = visitor();
    const callback = await late.toCallback(address, 'ann+vision-team');
    await issuer.stop();
    expect((await ann.go(`${address}/p/vision`)).status).toBe(200);
    expect((await one.ask('/api/projects/vision/runs')).status).toBe(200);
    const answer = await late.go(callback);
    expect([answer.status, answer.text]).toEqual([503, expect.stringContaining('cannot be reached')]);
    expect((await ann.go(`${address}/logout`, {})).status).toBe(303);

    const other = await testServer({ database: postgres?.fresh(), oidc: settingsFor() });
    try {
      const begun = await visitor().go(`${other.server.url}/oidc/sign-in`);
      expect([begun.status, begun.text]).toEqual([503, expect.stringContaining('sign in with a token')]);
      expect((await other.ask('/api/projects')).status).toBe(200);
    } finally {
      await other.stop();
    }
  });
});
