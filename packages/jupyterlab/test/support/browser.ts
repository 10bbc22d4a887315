// Debian's Chromium, headless, through playwright-core; and one page of JupyterLab in it.
import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import type { Lab } from './lab.js';

const candidates = [
  process.env['GRUS_CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

export async function launchBrowser(): Promise<Browser> {
  const executablePath = candidates.find((path) => path !== undefined && existsSync(path));
  if (executablePath === undefined)
    throw new Error('no Chromium was found: apt-get install chromium, or name one in GRUS_CHROMIUM');
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

export interface LabPage {
  readonly page: Page;
  /** What the page complained about. */
  readonly errors: string[];
}

/** JupyterLab with nothing open. */
export async function openLab(browser: Browser, lab: Lab, path = 'lab?reset'): Promise<LabPage> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  page.setDefaultTimeout(30_000);
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  await page.goto(lab.address(path));
  await page.waitForFunction('window.jupyterapp?.started');
  await page.evaluate('window.jupyterapp.started.then(() => true)');
  return { page, errors };
}
