// The benchmark of the extension: prints a table, or JSON with --json. --rounds N and --keys N make it shorter or longer, 0 leaves
// a part out; --app notebook measures Notebook 7.
import { withModule } from './load.mjs';

const args = process.argv.slice(2);
const option = (name) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
const number = (name) => (option(name) === undefined ? undefined : Number(option(name)));
await withModule('speed.ts', async (module) => {
  const report = await module.run({
    rounds: number('--rounds'),
    keys: number('--keys'),
    app: option('--app'),
  });
  process.stdout.write(
    args.includes('--json') ? `${JSON.stringify(report)}\n` : `${module.render(report)}\n`,
  );
});
