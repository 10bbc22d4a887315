// A fix for people: what it is, how it was verified, and the lines that change.
import { visible, visibleIn } from '@grus/core';
import type { FixAnswer } from '../jobs/fix.js';
import type { Style } from '../terminal/style.js';
import { labelled } from '../terminal/wrap.js';

export function renderFix(answer: FixAnswer, source: string, style: Style): string {
  const { fix, fix_because: because } = visibleIn(answer);
  const before = visible(source);
  if (fix === null) return style.dim(labelled('  fix   ', `none: ${because}`, style.width));
  const proof =
    fix.proof === 'ran'
      ? 'verified: the edited cell ran in a copy of the kernel'
      : 'verified: the crash is no longer found';
  return [
    labelled('  fix   ', `${fix.edit.title} (${proof}; ${fix.by})`, style.width),
    ...changed(before, fix.source).map((line) =>
      line.startsWith('-') ? style.red(`        ${line}`) : style.green(`        ${line}`),
    ),
  ].join('\n');
}

/** The lines between the common beginning and the common end. */
function changed(before: string, after: string): string[] {
  const old = before.replace(/\r\n?/g, '\n').split('\n');
  const fresh = after.split('\n');
  const same = (index: number) => old[index] !== undefined && old[index] === fresh[index];
  let start = 0;
  while (same(start)) start++;
  let end = 0;
  while (
    end < Math.min(old.length, fresh.length) - start &&
    old[old.length - 1 - end] === fresh[fresh.length - 1 - end]
  )
    end++;
  return [
    ...old.slice(start, old.length - end).map((line) => `- ${line}`),
    ...fresh.slice(start, fresh.length - end).map((line) => `+ ${line}`),
  ];
}
