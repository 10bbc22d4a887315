// The frame of every page. Everything that is put into a page passes through `html`, which escapes it. Its texts are plain ASCII: the bundle is
// read as such for a fast start.
import { html } from 'hono/html';

export type Html = ReturnType<typeof html>;

export interface Frame {
  readonly title: string;
  readonly project?: string;
  /** Seconds until the page looks again: something on it is still going on. */
  readonly again?: number;
  readonly charts?: boolean;
  readonly signedIn?: boolean;
}

const tabs = [
  ['', 'Runs'],
  ['/causes', 'Causes'],
  ['/recurrences', 'Recurrences'],
] as const;

export function layout(
  { title, project, again, charts = false, signedIn = true }: Frame,
  content: Html,
): Html {
  const base = project === undefined ? '/' : projectPath(project);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${again === undefined ? '' : html`<noscript><meta http-equiv="refresh" content="${again}"></noscript>`}
<title>${title} - Grus</title>
${charts ? html`<link rel="stylesheet" href="/static/charts.css">` : ''}
<link rel="stylesheet" href="/static/page.css">
<script src="/static/page.js" defer></script>
</head>
<body>
<nav><a class="home" href="/">Grus</a>
${project === undefined ? '' : html`<span>${project}</span>${tabs.map(([path, name]) => html`<a href="${base}${path}">${name}</a>`)}`}
${signedIn ? html`<form method="post" action="/logout"><button>Sign out</button></form>` : ''}</nav>
<main ${again === undefined ? '' : html`data-again="${again}"`}>${content}</main>
${charts ? html`<script src="/static/charts.js"></script>` : ''}
</body>
</html>`;
}

export function projectPath(project: string): string {
  return `/p/${encodeURIComponent(project)}`;
}

export function when(date: Date): Html {
  const text = date.toISOString();
  return html`<time datetime="${text}">${text.slice(0, 16).replace('T', ' ')}</time>`;
}

export function hours(value: number | null): string {
  return value === null ? '' : `${value < 10 ? value.toFixed(1) : Math.round(value)} GPU h`;
}
