// The options that name a Grus server, in every command that talks to one.
import { GrusError } from '@grus/core';
import type { Command } from 'commander';

export interface ServerOptions {
  readonly server?: string | true;
  readonly token?: string;
  readonly project: string;
}

/** The project where no option names one. */
export function usualProject(): string {
  return process.env['GRUS_PROJECT'] || 'default';
}

export function withServerOptions(command: Command): Command {
  return withTokenOptions(command.option('--server <url>', 'the Grus server; also GRUS_SERVER'));
}

function withTokenOptions(command: Command): Command {
  return command
    .option('--token <token>', 'a token of the project; safer in GRUS_TOKEN, which no process list shows')
    .option('--project <name>', 'the project on the server; also GRUS_PROJECT', usualProject());
}

/** For commands that send nothing unless they are asked to: `--server` alone means the one of GRUS_SERVER. */
export function withOptionalServer(command: Command, what: string): Command {
  return withTokenOptions(command.option('--server [url]', `${what}; without an address, GRUS_SERVER`));
}

export function addressOf({ server, token, project }: ServerOptions): {
  server: string;
  token: string;
  project: string;
} {
  const url = typeof server === 'string' ? server : process.env['GRUS_SERVER'];
  const shown = token ?? process.env['GRUS_TOKEN'];
  if (!url || !URL.canParse(url))
    throw new GrusError(url ? `--server ${url} is no address` : 'No server was named', {
      advice: 'Give --server http://HOST:PORT, or set GRUS_SERVER.',
    });
  if (!shown)
    throw new GrusError('No token was given', {
      advice:
        'Set GRUS_TOKEN. The server printed where its first token is; more are made by `grus server token`.',
    });
  return { server: url, token: shown, project };
}
