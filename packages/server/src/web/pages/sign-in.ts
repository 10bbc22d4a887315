// Signing in with a token, and the choice of a project.
import { html } from 'hono/html';
import type { Project } from '../../store/projects.js';
import { type Html, layout, projectPath } from './layout.js';

export function signInPage(next: string, wrong: boolean): Html {
  return layout(
    { title: 'Sign in', signedIn: false },
    html`<form class="login" method="post" action="/login"><h1>Sign in</h1>
${wrong ? html`<p class="failed">This token is not known here.</p>` : ''}
<label>Token <input type="password" name="token" required autofocus autocomplete="current-password"></label>
<input type="hidden" name="next" value="${next}"><button>Sign in</button>
<p class="faint">The first token is in the file that <code>grus server</code> named when it started. An admin makes more: <code>grus server token</code>.</p></form>`,
  );
}

export function projectsPage(projects: readonly Project[]): Html {
  return layout(
    { title: 'Projects' },
    html`<h1>Projects</h1><ul>${projects.map(({ name }) => html`<li><a href="${projectPath(name)}">${name}</a></li>`)}</ul>`,
  );
}

export function problemPage(message: string, advice: string): Html {
  return layout({ title: 'Not here' }, html`<h1>${message}</h1><p>${advice}</p>`);
}
