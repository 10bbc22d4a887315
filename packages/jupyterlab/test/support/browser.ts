// Debian's Chromium, headless, through playwright-core; and one page of JupyterLab in it.
import { type Browser, chromium, type Page } from 'playwright-core';
import { chromiumAdvice, findChromium } from '../../../../scripts/lib/chromium.mjs';
import type { Lab } from './lab.js';

export async function launchBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error(chromiumAdvice);
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

export interface LabPage {
  readonly page: Page;
  /** What the page complained about. */
  readonly errors: string[];
}

export interface PageOptions {
  /** Default: JupyterLab with nothing open. */
  readonly path?: string;
  /** Runs in the page before anything else. */
  readonly init?: () => void;
}

export async function openLab(browser: Browser, lab: Lab, options: PageOptions = {}): Promise<LabPage> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  page.setDefaultTimeout(60_000);
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.stack ?? error.message));
  if (options.init) await page.addInitScript(options.init);
  await page.goto(lab.address(options.path ?? 'lab?reset'));
  await page.waitForFunction('window.jupyterapp?.started');
  await page.evaluate('window.jupyterapp.started.then(() => true)');
  return { page, errors };
}
