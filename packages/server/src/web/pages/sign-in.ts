// Signing in, and the choice of a project.
import { html } from 'hono/html';
import type { Project } from '../../store/projects.js';
import type { Problem } from '../problem.js';
import { type Html, layout, projectPath } from './layout.js';

/** `issuer`: who else vouches for people; null: tokens alone. */
export function signInPage(
  next: string,
  { wrong, issuer }: { wrong: boolean; issuer: SignInPlace | null },
): Html {
  return layout(
    { title: 'Sign in', signedIn: false },
    html`<form class="login" method="post" action="/login"><h1>Sign in</h1>
${issuer === null ? '' : html`<p><a href="${issuer.address}?${new URLSearchParams({ next }).toString()}">Sign in with ${issuer.host}</a></p>`}
${wrong ? html`<p class="failed">This token is not known here.</p>` : ''}
<label>Token <input type="password" name="token" required ${issuer === null ? 'autofocus' : ''} autocomplete="current-password"></label>
<input type="hidden" name="next" value="${next}"><button>Sign in</button>
<p class="faint">The first token is in the file that <code>grus server</code> named when it started. An admin makes more: <code>grus server token</code>.</p></form>`,
  );
}

export interface SignInPlace {
  readonly address: string;
  readonly host: string;
}

export function projectsPage(projects: readonly Project[], person: string): Html {
  return layout(
    { title: 'Projects' },
    projects.length === 0
      ? html`<h1>Nothing here is open to you, ${person}</h1><p>None of your groups has a project. An admin of this server can change that.</p>`
      : html`<h1>Projects</h1><ul>${projects.map(({ name }) => html`<li><a data-row href="${projectPath(name)}">${name}</a></li>`)}</ul>
<p><a href="/causes">What fails in all of them</a></p>`,
  );
}

export function problemPage({ message, advice }: Problem, signedIn: boolean): Html {
  return layout({ title: 'Not here', signedIn }, html`<h1>${message}</h1><p>${advice}</p>`);
}
