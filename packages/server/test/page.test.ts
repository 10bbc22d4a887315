// The pages in a real browser, on a real PostgreSQL where there is one: what people do with them, and names and logs that are hostile.
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium } from '../../../scripts/lib/chromium.mjs';
import { pushRun } from '../src/client/index.js';
import { filesOf, textFile } from './support/files.js';
import { findPostgres, type RealPostgres, startPostgres } from './support/postgres.js';
import { recorded, testServer } from './support/server.js';

const executablePath = findChromium();
const programs = findPostgres();
const script = '"><script>window.hacked=1</script><img src=x onerror=window.hacked=1>';

describe.skipIf(executablePath === undefined)('in a browser (skipped without Chromium)', () => {
  let one: Awaited<ReturnType<typeof testServer>>;
  let browser: Browser;
  let page: Page;
  let postgres: RealPostgres | null = null;
  const complaints: string[] = [];

  beforeAll(async () => {
    postgres = programs === null ? null : await startPostgres(programs);
    one = await testServer({ database: postgres?.url });
    const to = { server: one.server.url, token: one.server.token, project: 'default' };
    const base = { running: false, person: script };
    for (const name of ['cuda-hf-healthy', 'cuda-hf-oom', 'cuda-hf-diverge'])
      await pushRun(to, { ...base, name, node: `node-${name}`, files: filesOf(recorded(name)) });
    const rows = Array.from({ length: 30 }, (_, step) =>
      JSON.stringify({ step, loss: step < 20 ? 1 / (step + 1) : Number.NaN, [script]: step }).replace(
        'null',
        'NaN',
      ),
    );
    const files = [
      textFile('metrics.jsonl', rows.join('\n')),
      textFile(
        'train.log',
        `Traceback (most recent call last):\n  File "t.py", line 1, in <module>\nValueError: ${script}\n`,
      ),
      textFile(`config/${script.replaceAll('/', '')}.json`, JSON.stringify({ [script]: script, lr: 0.1 })),
    ];
    await pushRun(to, { ...base, name: script, node: script, files });
    await one.settled('default');
    browser = await chromium.launch({
      executablePath: executablePath!,
      args: ['--no-sandbox', '--disable-dev-shm-usage'],
    });
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    page.setDefaultTimeout(90_000);
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
  });
  afterAll(async () => {
    await browser?.close();
    await one?.stop();
    await postgres?.stop();
  });

  it('asks who you are, and brings you where you wanted to go', async () => {
    await page.goto(`${one.server.url}/p/default?outcome=failed`);
    await page.getByLabel('Token').fill('grus_wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('This token is not known here.').waitFor();
    complaints.length = 0; // A browser calls the answer 401 an error.
    await page.getByLabel('Token').fill(one.server.token);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/p/default?outcome=failed');
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax' });
  });

  it('lists, narrows by what is in the address, finds words, and obeys keys', async () => {
    await page.goto(`${one.server.url}/p/default`);
    expect(await page.locator('.runs tbody tr').count()).toBe(4);
    expect(await page.locator('.runs svg.spark polyline').count()).toBeGreaterThanOrEqual(2);
    await page.getByLabel('Outcome').selectOption('unknown');
    await page.waitForURL('**outcome=unknown**');
    expect(await page.locator('.runs tbody a[data-row]').allTextContents()).toEqual(['cuda-hf-healthy']);
    await page.goto(`${one.server.url}/p/default`);
    await page.keyboard.press('/');
    await page.keyboard.type('memory');
    await page.keyboard.press('Enter');
    await page.waitForURL('**q=memory**');
    expect(await page.locator('.runs tbody a[data-row]').allTextContents()).toEqual(['cuda-hf-oom']);
    await page.locator('.runs th').first().click();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/runs/**');
    await page.getByRole('heading', { name: 'What to do' }).waitFor();
  });

  it('draws the curves of a run, and marks where it began', async () => {
    await page.goto(`${one.server.url}/p/default`);
    await page.getByRole('link', { name: 'cuda-hf-diverge', exact: true }).click();
    await page.locator('#panels canvas').first().waitFor();
    expect(await page.locator('#panels .u-title').allTextContents()).toEqual(
      expect.arrayContaining([expect.stringContaining('loss')]),
    );
  });

  it('compares what is ticked, and a run with the last that did not fail', async () => {
    await page.goto(`${one.server.url}/p/default`);
    await page.getByLabel('Compare cuda-hf-healthy').check();
    await page.getByLabel('Compare cuda-hf-diverge').check();
    await page.getByRole('button', { name: 'Compare what is ticked' }).click();
    const conclusion = page.locator('.conclusion');
    expect(await conclusion.textContent()).toContain('Most likely because of learning_rate');
    await page.getByRole('link', { name: 'compare with this one' }).click();
    await page.waitForURL('**&with=**');
    expect(await conclusion.textContent()).toContain('The first did worse.');

    // With keys: the first two of the list.
    await page.goto(`${one.server.url}/p/default`);
    for (const key of ['j', 'x', 'j', 'x', 'c']) await page.keyboard.press(key);
    await page.waitForURL('**/compare?run=**&run=**');
    expect(await page.locator('table').first().locator('tbody tr').count()).toBe(2);

    await page.goto(`${one.server.url}/p/default`);
    await page.getByRole('link', { name: 'cuda-hf-diverge', exact: true }).click();
    await page.getByRole('link', { name: 'Compare with the last run' }).click();
    await conclusion.waitFor();
    await page.goBack();
  });

  it('keeps what somebody says a run really had', async () => {
    await page.getByLabel('What it was').selectOption('gpu_leak');
    await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'It was this' }).click()]);
    expect(
      await page.locator('section').filter({ hasText: 'Was this right?' }).locator('p').textContent(),
    ).toMatch(/^admin-\w+ said: gpu_leak /);
  });

  it('counts causes, and keeps what people decide about those that come again', async () => {
    await page.goto(`${one.server.url}/p/default/causes?by=node`);
    expect(await page.locator('tbody tr').count()).toBeGreaterThanOrEqual(2);
    await page.goto(`${one.server.url}/p/default/recurrences`);
    const row = page.locator('tbody tr').filter({ hasText: 'memory' });
    await row.getByLabel('Who').fill(script);
    await row.getByRole('checkbox').check();
    await Promise.all([page.waitForEvent('load'), row.getByRole('button').click()]);
    expect(await row.getByLabel('Who').inputValue()).toBe(script);
    expect(await row.getByRole('checkbox').isChecked()).toBe(true);
  });

  it('looks again at what goes on, and leaves ticks, choices, focus and place alone', async () => {
    const to = { server: one.server.url, token: one.server.token, project: 'live' };
    await one.post('/api/projects', { name: 'live' });
    const push = (name: string, steps: number, running: boolean) => {
      const lines = Array.from({ length: steps }, (_, step) => `step ${step} loss ${1 / (step + 1)}`);
      const files = [textFile('train.log', lines.join('\n'))];
      return pushRun(to, { name, files, running, node: null, person: null });
    };
    for (let at = 0; at < 40; at++) await push(`ended ${at}`, at + 5, false);
    const { id } = await push('goes on', 50, true);
    await one.settled('live');
    await page.setViewportSize({ width: 1280, height: 400 });
    await page.clock.install();
    const tenSeconds = () => page.clock.fastForward(10_000);
    await page.goto(`${one.server.url}/p/live`);
    const tick = page.getByLabel('Compare ended 7', { exact: true });
    await tick.check();
    await page.getByRole('link', { name: 'ended 7', exact: true }).focus();
    const place = () =>
      page.evaluate('[scrollY, document.activeElement.textContent, performance.timeOrigin]');
    const before = await place();
    expect(before).toMatchObject([expect.any(Number), 'ended 7', expect.any(Number)]);
    const renewed = page.waitForResponse(`${one.server.url}/p/live`);
    await push('another', 4, false);
    await tenSeconds();
    await renewed;
    await page.getByRole('link', { name: 'another', exact: true }).waitFor();
    expect(await tick.isChecked()).toBe(true);
    expect(await place()).toEqual(before);

    await page.goto(`${one.server.url}/p/live/runs/${id}`);
    await page.locator('#panels canvas').first().waitFor();
    await page.getByText('Settings, versions and files').click();
    await page.getByLabel('What it was').selectOption('gpu_leak');
    await page.evaluate('document.activeElement.blur()');
    const charts = await page.locator('#panels canvas').count();
    await page.evaluate('document.querySelector("#panels canvas").dataset.old = "yes"');
    await push('goes on', 90, false);
    await one.settled('live');
    await tenSeconds();
    await page.getByText('goes on, still running').waitFor({ state: 'detached' });
    await page.locator('#panels canvas[data-old]').waitFor({ state: 'detached' });
    expect(await page.locator('#panels canvas').count()).toBe(charts);
    expect(await page.locator('details').getAttribute('open')).not.toBeNull();
    expect(await page.getByLabel('What it was').inputValue()).toBe('gpu_leak');
    // It has ended: nobody asks again.
    expect(await page.locator('main[data-again]').count()).toBe(0);
  }, 240_000);

  it('counts causes of all projects together', async () => {
    await page.goto(`${one.server.url}/`);
    await page.getByRole('link', { name: 'What fails in all of them' }).click();
    const rows = page.locator('tbody tr').filter({ hasText: 'default' });
    expect(await rows.count()).toBeGreaterThanOrEqual(2);
    expect(await rows.first().locator('svg[role=img]').getAttribute('aria-label')).toMatch(
      /^runs by week.* 0, [1-9]$/,
    );
    await rows.first().getByRole('link').click();
    await page.waitForURL('**/p/default?subcause=**');
    await page.goto(`${one.server.url}/causes?by=node`);
    expect(await page.locator('tbody tr').count()).toBeGreaterThanOrEqual(2);
  });

  it('runs nothing that came in a name, a log or a metric, and fits on a phone, dark too', async () => {
    await page.setViewportSize({ width: 390, height: 800 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.goto(`${one.server.url}/p/default`);
    await page.locator('.runs tbody a[data-row]').filter({ hasText: 'script' }).first().click();
    await page.locator('#panels canvas').first().waitFor();
    expect(await page.locator('h1').textContent()).toContain('Failed');
    const ids = await page
      .goto(`${one.server.url}/p/default`)
      .then(() =>
        page
          .locator('input[name=run]')
          .evaluateAll((boxes) => boxes.map((box) => `run=${box.getAttribute('value')}`)),
      );
    const compared = `/compare?${ids.join('&')}`;
    for (const path of [
      '',
      '/../../causes?by=node',
      '/../../causes?by=person',
      '/causes?by=node',
      '/causes?by=person',
      '/recurrences',
      compared,
    ]) {
      await page.goto(`${one.server.url}/p/default${path}`);
      expect(await page.evaluate('window.hacked'), path).toBeUndefined();
      const wide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
      expect(wide, path).toBe(false);
    }
    expect(await page.evaluate('getComputedStyle(document.documentElement).backgroundColor')).toBe(
      'rgb(22, 25, 28)',
    );
    expect(complaints).toEqual([]);
  });

  it('lets nobody in after signing out', async () => {
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.goto(`${one.server.url}/p/default`);
    expect(page.url()).toContain('/login');
  });
});
