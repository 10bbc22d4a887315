// docs/commands.md: what `grus help` prints, command by command. The command itself is asked, so the page says what it says.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './setup.mjs';

const program = join(root, 'packages', 'cli', 'bin', 'grus.cjs');

const head = `# Commands

\`grus help NAME\` prints the same in a terminal, and \`grus NAME --help\` too.
`;

export function renderCommands() {
  return [head, ...pagesOf([])].join('\n');
}

function pagesOf(path) {
  const text = execFileSync(process.execPath, [program, ...path, '--help'], { encoding: 'utf8' });
  const page = `## ${['grus', ...path].join(' ')}\n\n\`\`\`text\n${text.trimEnd()}\n\`\`\`\n`;
  return [page, ...commandsIn(text).flatMap((name) => pagesOf([...path, name]))];
}

/** Benchmarks are for those who work on Grus. */
function commandsIn(text) {
  const [, listed = ''] = /^Commands:\n((?: {2}.*\n?)+)/m.exec(text) ?? [];
  const names = [...listed.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name]) => name);
  return names.filter((name) => name !== 'help' && name !== 'bench');
}
