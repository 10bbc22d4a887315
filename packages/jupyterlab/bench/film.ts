// A short animation from pictures of a page: each is shown for its time. Pillow, which the notebooks of the tests use too, packs
// them.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { python } from '../test/support/install.js';

const pack = `import json, sys
from PIL import Image
told = json.load(sys.stdin)
frames = [Image.open(path).convert("RGB").quantize(96) for path in told["paths"]]
frames[0].save(told["to"], save_all=True, append_images=frames[1:], duration=told["times"], loop=0, optimize=True)`;

export class Film {
  readonly #folder = mkdtempSync(join(tmpdir(), 'grus-film-'));
  readonly #frames: { readonly path: string; readonly ms: number }[] = [];

  constructor(private readonly page: Page) {}

  async take(ms: number): Promise<void> {
    const path = join(this.#folder, `${this.#frames.length}.png`);
    await this.page.screenshot({ path });
    this.#frames.push({ path, ms });
  }

  save(to: string): string {
    const paths = this.#frames.map(({ path }) => path);
    const input = JSON.stringify({ to, paths, times: this.#frames.map(({ ms }) => ms) });
    const done = spawnSync(python, ['-c', pack], { input, encoding: 'utf8' });
    rmSync(this.#folder, { recursive: true });
    if (done.status !== 0) throw new Error(done.stderr);
    return to;
  }
}
