// One JupyterLab with the extension and one browser for the tests of a file.
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, openLab } from './browser.js';
import { type Installation, installWheel } from './install.js';
import { Lab, type LabOptions } from './lab.js';
import { OpenNotebook } from './notebook.js';
import type { CellText } from './notebook-file.js';

export class TestLab {
  #count = 0;

  private constructor(
    readonly installation: Installation,
    readonly lab: Lab,
    readonly browser: Browser,
    readonly page: Page,
    /** What the page complained about so far. */
    readonly errors: readonly string[],
  ) {}

  static async start(options: Partial<LabOptions> & { readonly init?: () => void } = {}): Promise<TestLab> {
    const installation = await installWheel();
    const environment = { ...installation.environment, ...options.environment };
    const [lab, browser] = await Promise.all([Lab.start({ ...options, environment }), launchBrowser()]);
    const { page, errors } = await openLab(browser, lab, { ...(options.init ? { init: options.init } : {}) });
    return new TestLab(installation, lab, browser, page, errors);
  }

  /** Writes a notebook and opens it in the page. */
  async open(
    cells: readonly CellText[],
    metadata: Record<string, unknown> = {},
    page: Page = this.page,
  ): Promise<OpenNotebook> {
    this.#count += 1;
    const name = `notebook-${this.#count}.ipynb`;
    this.lab.writeNotebook(name, cells, metadata);
    return OpenNotebook.open(page, name);
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.lab.close();
    this.installation.remove();
  }
}
