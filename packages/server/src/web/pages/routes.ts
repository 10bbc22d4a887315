// The addresses of the pages.
import { chartLibrary, chartScript } from '@grus/training';
import type { Context } from 'hono';
import { note } from '../../store/audit.js';
import { countCauses, type Grouping, groupings } from '../../store/causes.js';
import { feedbackOf } from '../../store/feedback.js';
import { listProjects } from '../../store/projects.js';
import { decideRecurrence, listRecurrences } from '../../store/recurrences.js';
import { filters, findRun, lastGood, listRuns, placeOf, type RunFilter } from '../../store/runs.js';
import { roleIn } from '../../store/tokens.js';
import { warningsOf } from '../../store/warnings.js';
import { compareFor } from '../api/comparison.js';
import { said as sayable, takeFeedback } from '../api/feedback.js';
import { decision } from '../api/shapes.js';
import { authentication, projectFor } from '../auth.js';
import type { Environment, Parts, Routes } from '../context.js';
import { notFound, Problem } from '../problem.js';
import { comparisonPage } from './comparison.js';
import { causesPage, recurrencesPage } from './failures.js';
import { projectPath } from './layout.js';
import { listPage } from './list.js';
import { runPage } from './run.js';
import { chartEnd, chartStart, pageScript } from './script.js';
import { projectsPage } from './sign-in.js';
import { signInRoutes } from './sign-in-routes.js';
import { pageStyle } from './style.js';

export function pageRoutes(app: Routes, parts: Parts): void {
  const { database } = parts;
  staticFiles(app);

  signInRoutes(app, parts);

  app.use('/', authentication(parts));
  app.use('/p/*', authentication(parts));
  app.use('/causes', authentication(parts));
  app.get('/', async (context) => {
    const bearer = context.get('bearer');
    const projects = await listProjects(database, bearer);
    const [only] = projects;
    return projects.length === 1
      ? context.redirect(projectPath(only!.name))
      : context.html(projectsPage(projects, bearer.name));
  });
  app.get('/causes', async (context) => {
    const by = groupingOf(context, 'project');
    const projects = await listProjects(database, context.get('bearer'));
    return context.html(causesPage(null, by, await countCauses(database, projects, by)));
  });
  app.get('/p/:project', async (context) => {
    const project = await projectFor(parts, context.get('bearer'), context.req.param('project'), 'read');
    const filter = filterOf(context);
    return context.html(listPage(project.name, filter, await listRuns(database, project.id, filter)));
  });
  app.get('/p/:project/runs/:id', async (context) => {
    const project = await projectFor(parts, context.get('bearer'), context.req.param('project'), 'read');
    const run = await findRun(database, project.id, context.req.param('id'));
    if (run === null) throw notFound('run');
    const mayWrite = roleIn(context.get('bearer'), project.id) !== 'read';
    const [said, warnings] = [await feedbackOf(database, run.id), await warningsOf(database, run.id)];
    return context.html(runPage(project.name, run, { said, mayWrite, warnings }));
  });
  app.post('/p/:project/runs/:id/feedback', async (context) => {
    const bearer = context.get('bearer');
    const project = await projectFor(parts, bearer, context.req.param('project'), 'write');
    const word = sayable.safeParse((await context.req.parseBody())['said']);
    if (!word.success) throw new Problem(400, 'there is no such cause', 'Choose one of the list.');
    const id = context.req.param('id');
    await takeFeedback(parts, bearer, project.id, { id, word: word.data });
    return context.redirect(`${projectPath(project.name)}/runs/${id}`, 303);
  });
  app.get('/p/:project/runs/:id/compare', async (context) => {
    const project = await projectFor(parts, context.get('bearer'), context.req.param('project'), 'read');
    const id = context.req.param('id');
    const good = await lastGood(database, project.id, id);
    if (good === null)
      throw new Problem(
        404,
        'every run of this project before it failed, or there is none',
        'Choose runs to compare in the list.',
      );
    return context.redirect(`${projectPath(project.name)}/compare?run=${id}&with=${good}`);
  });
  app.get('/p/:project/compare', async (context) => {
    const project = await projectFor(parts, context.get('bearer'), context.req.param('project'), 'read');
    const ids = context.req.queries('run') ?? [];
    const compared = await compareFor(parts, project.id, { ids, with: context.req.query('with') });
    return context.html(comparisonPage(project.name, compared));
  });
  app.get('/p/:project/causes', async (context) => {
    const project = await projectFor(parts, context.get('bearer'), context.req.param('project'), 'read');
    const by = groupingOf(context, 'day');
    return context.html(causesPage(project.name, by, await countCauses(database, [project], by)));
  });
  app.get('/p/:project/recurrences', async (context) => {
    const bearer = context.get('bearer');
    const project = await projectFor(parts, bearer, context.req.param('project'), 'read');
    const list = await listRecurrences(database, project.id);
    return context.html(recurrencesPage(project.name, list, roleIn(bearer, project.id) !== 'read'));
  });
  app.post('/p/:project/recurrences/:fingerprint', async (context) => {
    const bearer = context.get('bearer');
    const project = await projectFor(parts, bearer, context.req.param('project'), 'write');
    const fingerprint = context.req.param('fingerprint');
    const { muted, assignee } = await context.req.parseBody();
    const wanted = decision.safeParse({ muted: muted === 'yes', assignee: assignee || null });
    if (!wanted.success || !/^[0-9a-f]{16}$/.test(fingerprint))
      throw new Problem(400, 'this cannot be kept', 'Give a short name in one line.');
    await decideRecurrence(database, project.id, fingerprint, wanted.data);
    const action = wanted.data.muted ? 'failure muted' : 'failure assigned';
    await note(database, bearer, { project: project.id, action, subject: fingerprint });
    return context.redirect(`${projectPath(project.name)}/recurrences`, 303);
  });
}

function staticFiles(app: Routes): void {
  const { script, style } = chartLibrary();
  const files: Readonly<Record<string, readonly [string, string]>> = {
    'page.css': ['text/css', pageStyle],
    'page.js': ['text/javascript', pageScript],
    'charts.css': ['text/css', style],
    'charts.js': ['text/javascript', [script, chartStart, chartScript, chartEnd].join('\n')],
  };
  for (const [name, [type, text]] of Object.entries(files))
    app.get(`/static/${name}`, (context) =>
      context.body(text, 200, { 'Content-Type': `${type}; charset=utf-8`, 'Cache-Control': 'max-age=300' }),
    );
}

function groupingOf(context: Context<Environment>, otherwise: Grouping): Grouping {
  const asked = context.req.query('by') ?? otherwise;
  return Object.hasOwn(groupings, asked) ? (asked as Grouping) : otherwise;
}

function filterOf(context: Context<Environment>): RunFilter {
  const names = [...filters, 'q', 'after'] as const;
  const filter: RunFilter = Object.fromEntries(
    names.flatMap((name) => {
      const value = context.req.query(name)?.slice(0, 500);
      return value ? [[name, value]] : [];
    }),
  );
  if (filter.after !== undefined && placeOf(filter.after) === null)
    throw new Problem(400, 'no list ended there', 'Begin with the first page.');
  return filter;
}
