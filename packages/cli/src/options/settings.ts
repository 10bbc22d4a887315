// The option that says which file of settings holds, in every command that reads one.
import type { Command } from 'commander';

export interface SettingsOptions {
  readonly settings?: string;
}

export function withSettingsOption(command: Command): Command {
  return command.option(
    '--settings <file>',
    'the settings of the project, or none (default: the nearest grus.toml, or pyproject.toml with [tool.grus])',
  );
}
