// The embedded database as a server makes it in a new folder. To make one takes seconds: it is made once, and copied.
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { onceARun } from '../../../../scripts/lib/once-a-run.mjs';
import { root } from '../../../../scripts/lib/setup.mjs';
import { openDatabase } from '../../src/store/open.js';

/** Puts one that is empty into the folder of a server that has none yet. */
export async function giveDatabase(data: string): Promise<void> {
  const place = join(data, 'database');
  if (existsSync(place)) return;
  const made = await onceARun('database', async (folder) => {
    const home = join(root, folder);
    await (await openDatabase({ data: home })).close();
    return join(home, 'database');
  });
  cpSync(made, place, { recursive: true });
}
