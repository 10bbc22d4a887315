// grus completion, asked by a real shell.
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { grus } from './grus.js';

/** What bash offers for the last of these words. */
async function offered(...words: string[]): Promise<string[]> {
  const { stdout } = await grus(['completion', 'bash']);
  const line = words.map((word) => `'${word}'`).join(' ');
  const ask = `COMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _grus; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['--norc', '-c', `${stdout}\n${ask}`], { encoding: 'utf8' })
    .trim()
    .split('\n');
}

describe('grus completion', () => {
  it('offers commands, and the options of the command that was typed', async () => {
    expect(await offered('grus', 'di')).toEqual(['diff', 'diagnose']);
    expect(await offered('grus', 'check', 'x.ipynb', '--kern')).toEqual([
      '--kernel-name',
      '--kernel',
      '--kernel-id',
    ]);
    expect(await offered('grus', 'llm', 't')).toEqual(['test']);
    expect(await offered('grus', 'llm', 'test', '--vo')).toEqual(['--votes']);
    expect(await offered('grus', 'check', 'train')).toEqual(['']);
  });

  it('is written for fish and zsh too, and for no shell that it does not know', async () => {
    const fish = await grus(['completion', 'fish']);
    expect(fish.stdout).toContain("complete -c grus -n '__fish_use_subcommand' -a check -d");
    expect(fish.stdout).toContain("complete -c grus -n '__fish_seen_subcommand_from check' -l cell -d");
    expect((await grus(['completion', 'zsh'])).stdout).toContain('bashcompinit');
    const unknown = await grus(['completion', 'toString']);
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain('bash, zsh, fish');
  });
});
