// The tables of scenarios/LABELS.md: for every sub-cause what belongs to it, what looks alike, and who acts. `npm run generate` writes them.
import { actors, categories } from './define.js';
import { causeOf, type Subcause, subcauses } from './table.js';

const marker = '<!-- From here on written by `npm run generate`, from packages/training/src/causes. -->';

/** The page with its tables as they are now: what stands above the marker is written by hand. */
export function withLabels(page: string): string {
  return `${page.split(marker, 1)[0]}${marker}\n\n${renderLabels()}\n`;
}

/** One section with one table per category, in Markdown. */
function renderLabels(): string {
  return categories
    .filter((category) => category !== 'unknown')
    .map((category) =>
      [
        `## ${category}`,
        '',
        '| sub-cause | belongs here | looks alike, but is another | effect | who acts |',
        '| --- | --- | --- | --- | --- |',
        ...subcauses.filter((subcause) => causeOf(subcause).category === category).map(row),
      ].join('\n'),
    )
    .join('\n\n');
}

function row(subcause: Subcause): string {
  const { label, apart, effect, actor } = causeOf(subcause);
  const others = Object.entries(apart).map(([other, evidence]) => `${evidence}: \`${other}\``);
  return `| \`${subcause}\` | ${label} | ${others.join('; ')} | ${effect} | ${actors[actor]} |`;
}
