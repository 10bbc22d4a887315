// Runs something of bench/, which is TypeScript and starts what the tests start.
import { join } from 'node:path';
import { createServer } from 'vite';
import { home } from './build.mjs';

export async function withModule(name, use) {
  const server = await createServer({
    root: home,
    configFile: false,
    logLevel: 'error',
    appType: 'custom',
    server: { middlewareMode: true, hmr: false, watch: null },
  });
  try {
    return await use(await server.ssrLoadModule(join(home, 'bench', name)));
  } finally {
    await server.close();
  }
}
