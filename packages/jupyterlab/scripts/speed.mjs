// The benchmark of the extension: prints a table, or JSON with --json. --rounds N and --keys N make it shorter or longer.
import { withModule } from './load.mjs';

const args = process.argv.slice(2);
const number = (name) => (args.includes(name) ? Number(args[args.indexOf(name) + 1]) : undefined);
await withModule('speed.ts', async (module) => {
  const report = await module.run({ rounds: number('--rounds'), keys: number('--keys') });
  process.stdout.write(
    args.includes('--json') ? `${JSON.stringify(report)}\n` : `${module.render(report)}\n`,
  );
});
