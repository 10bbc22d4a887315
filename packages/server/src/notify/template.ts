// Texts with {names} in them. A line whose names all stand for nothing is left out.
import { type Placeholder, placeholders } from './facts.js';

const name = /\{(\w+)\}/g;

/** Every channel shows it above the text. */
export const defaultTitle = '{run}: {headline}';
export const defaultText = `{again}
Run {run} of project {project}
On {node}
By {person}
Seen: {evidence}
To do: {remedy}
{link}`;

/** Names that stand for nothing anywhere. */
export function unknownNames(template: string): string[] {
  const known: readonly string[] = placeholders;
  return [...template.matchAll(name)].map(([, one]) => one!).filter((one) => !known.includes(one));
}

export function fill(template: string, values: Readonly<Record<Placeholder, string>>): string {
  const lines = template.split('\n').flatMap((line) => {
    const names = [...line.matchAll(name)].map(([, one]) => one as Placeholder);
    if (names.length > 0 && names.every((one) => values[one] === '')) return [];
    return [line.replaceAll(name, (_, one: Placeholder) => values[one])];
  });
  return lines.join('\n');
}
