// grus completion: what a shell completes, written from the declared commands themselves.
import { GrusError } from '@grus/core';
import type { Command } from 'commander';

interface Node {
  /** The words that lead to the command: "", "/check", "/llm/test". */
  readonly path: string;
  readonly command: Command;
}

const writers: Readonly<Record<string, (nodes: readonly Node[]) => string>> = {
  bash: bashScript,
  zsh: (nodes) =>
    `autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n${bashScript(nodes)}`,
  fish: fishScript,
};

export function registerCompletion(program: Command): void {
  program
    .command('completion')
    .summary('print a completion script for your shell')
    .description('Prints a script for your shell, which then completes commands, options and files.')
    .argument('<shell>', Object.keys(writers).join(', '))
    .addHelpText(
      'before',
      `Examples:
  grus completion bash >> ~/.bashrc
  grus completion zsh >> ~/.zshrc
  grus completion fish > ~/.config/fish/completions/grus.fish
`,
    )
    .action((shell: string) => {
      const write = Object.hasOwn(writers, shell) ? writers[shell] : undefined;
      if (!write)
        throw new GrusError(`there is no completion for ${shell}`, {
          advice: `Choose one of ${Object.keys(writers).join(', ')}.`,
        });
      process.stdout.write(write(nodesOf(program)));
    });
}

function nodesOf(command: Command, path = ''): Node[] {
  const below = command.commands.flatMap((child) => nodesOf(child, `${path}/${child.name()}`));
  return [{ path, command }, ...below];
}

function wordsOf({ command }: Node): string[] {
  const options = command.options.flatMap(({ long }) => (long ? [long] : []));
  return [...command.commands.map((child) => child.name()), ...options, '--help'];
}

function bashScript(nodes: readonly Node[]): string {
  const paths = nodes.map(({ path }) => path).filter((path) => path !== '');
  const cases = nodes.map((node) => `    "${node.path}") words="${wordsOf(node).join(' ')}" ;;`);
  return `_grus() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path="" word words=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$path/$word" in
      ${paths.join('|')}) path="$path/$word" ;;
    esac
  done
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _grus grus
`;
}

function fishScript(nodes: readonly Node[]): string {
  const lines = nodes.flatMap(({ path, command }) => {
    const words = path.split('/').slice(1);
    const where =
      words.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ') || '__fish_use_subcommand';
    const commands = command.commands.map(
      (child) => `complete -c grus -n ${quoted(where)} -a ${child.name()} -d ${quoted(child.summary())}`,
    );
    const options = command.options.flatMap(({ long, description }) =>
      long ? [`complete -c grus -n ${quoted(where)} -l ${long.slice(2)} -d ${quoted(description)}`] : [],
    );
    return [...commands, ...options];
  });
  return `${lines.join('\n')}\n`;
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
