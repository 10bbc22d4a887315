// The benchmark of the extension: prints a table, or JSON with --json. --cells N takes only some of the cells.
import { join } from 'node:path';
import { runnerImport } from 'vite';
import { home } from './build.mjs';

export async function benchmark(args) {
  const { module } = await runnerImport(join(home, 'bench', 'latency.ts'));
  const cells = args.includes('--cells') ? Number(args[args.indexOf('--cells') + 1]) : undefined;
  const report = await module.run(cells);
  process.stdout.write(
    args.includes('--json') ? `${JSON.stringify(report)}\n` : `${module.render(report)}\n`,
  );
}

if (process.argv[1] === import.meta.filename) await benchmark(process.argv.slice(2));
