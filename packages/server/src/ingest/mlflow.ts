// An MLflow tracking server: each of its runs as the files that MLflow's own file store would hold, which the readers know.
import { GrusError } from '@grus/core';
import { z } from 'zod';
import { isPlainPath } from '../artefacts/manifest.js';
import type { FileToPush } from '../client/push.js';
import { type IncomingRun, isTooOld, type Source } from './define.js';

const whole = z.coerce.number();
const point = z.object({
  key: z.string(),
  value: z.union([z.number(), z.string()]),
  timestamp: whole,
  step: whole,
});
const pair = z.object({ key: z.string(), value: z.string() });
const mlflowRun = z.object({
  info: z.object({
    run_id: z.string().regex(/^[0-9a-f]{32}$/),
    experiment_id: z.string(),
    status: z.string(),
    start_time: whole.optional(),
    end_time: whole.optional(),
  }),
  data: z.object({
    metrics: z.array(point).default([]),
    params: z.array(pair).default([]),
    tags: z.array(pair).default([]),
  }),
});
const page = { next_page_token: z.string().optional() };
const experiments = z.object({
  experiments: z.array(z.object({ experiment_id: z.string(), name: z.string() })).default([]),
  ...page,
});
const runs = z.object({ runs: z.array(mlflowRun).default([]), ...page });
const history = z.object({ metrics: z.array(point).default([]), ...page });

type MlflowRun = z.infer<typeof mlflowRun>;
type Ask = <Shape>(
  shape: z.ZodType<Shape>,
  path: string,
  query: Readonly<Record<string, unknown>>,
) => Promise<Shape>;

/** The numbers that MLflow's file store writes for them. */
const statuses: Readonly<Record<string, number>> = {
  RUNNING: 1,
  SCHEDULED: 2,
  FINISHED: 3,
  FAILED: 4,
  KILLED: 5,
};
const mostMs = 30_000;

export function mlflowSource(project: string, url: string, keepDays?: number): Source {
  const seen = new Map<string, string>();
  const { host } = new URL(url);
  return {
    name: host,
    project,
    look: async function* (signal) {
      const ask = asker(url, signal);
      for await (const experiment of pages(experiments, ask, 'experiments/search', {}))
        for (const { experiment_id, name } of experiment.experiments)
          for await (const found of pages(runs, ask, 'runs/search', { experiment_ids: [experiment_id] }))
            for (const run of found.runs) {
              const state = JSON.stringify([run.info, run.data.metrics]);
              if (seen.get(run.info.run_id) === state || isTooOld(lastWord(run), keepDays)) continue;
              yield await incomingOf(ask, run, `${host}:${name}/${run.info.run_id}`);
              seen.set(run.info.run_id, state);
            }
    },
  };
}

function lastWord({ info, data }: MlflowRun): number {
  return Math.max(
    info.start_time ?? 0,
    info.end_time ?? 0,
    ...data.metrics.map(({ timestamp }) => timestamp),
  );
}

async function incomingOf(ask: Ask, run: MlflowRun, name: string): Promise<IncomingRun> {
  const { info, data } = run;
  const tag = (key: string): string | undefined => data.tags.find((one) => one.key === key)?.value;
  const commit = tag('mlflow.source.git.commit');
  const params = [...data.params, ...(commit === undefined ? [] : [{ key: 'git_commit', value: commit }])];
  const files = [
    textFile(info.run_id, 'meta.yaml', metaOf(info)),
    ...params.map(({ key, value }) => textFile(info.run_id, `params/${key}`, value)),
  ];
  for (const { key } of data.metrics) {
    const lines: string[] = [];
    const query = { run_id: info.run_id, metric_key: key, max_results: 25_000 };
    for await (const { metrics } of pages(history, ask, 'metrics/get-history', query))
      lines.push(...metrics.map(({ timestamp, value, step }) => `${timestamp} ${value} ${step}`));
    files.push(textFile(info.run_id, `metrics/${key}`, lines.join('\n')));
  }
  return {
    name: name.replaceAll(/[\u0000-\u001f\u007f]/g, ' ').slice(0, 512),
    // A name may lead elsewhere: such a file is left out.
    files: files.filter(({ path }) => isPlainPath(path)),
    running: info.status === 'RUNNING' || info.status === 'SCHEDULED',
    node: null,
    person: tag('mlflow.user') ?? null,
  };
}

function metaOf({ run_id, status, start_time, end_time }: MlflowRun['info']): string {
  const times = [start_time && `start_time: ${start_time}`, end_time && `end_time: ${end_time}`];
  return [`run_id: ${run_id}`, `status: ${statuses[status] ?? 0}`, ...times.filter(Boolean), ''].join('\n');
}

function textFile(run: string, path: string, text: string): FileToPush {
  const content = Buffer.from(text);
  return { path: `${run}/${path}`, absolute: '', size: content.length, content };
}

async function* pages<Shape extends { next_page_token?: string | undefined }>(
  shape: z.ZodType<Shape>,
  ask: Ask,
  path: string,
  query: Readonly<Record<string, unknown>>,
): AsyncGenerator<Shape> {
  for (let token: string | undefined; ; ) {
    const answer = await ask(shape, path, {
      max_results: 1_000,
      ...query,
      ...(token ? { page_token: token } : {}),
    });
    yield answer;
    token = answer.next_page_token;
    if (!token) return;
  }
}

/** Only this address is asked: a redirection is not followed. */
function asker(url: string, signal: AbortSignal): Ask {
  const { username, password, origin, pathname } = new URL(url);
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const headers = {
    'content-type': 'application/json',
    ...(username === '' ? {} : { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }),
  };
  return async (shape, path, query) => {
    const place = new URL(`${pathname.replace(/\/$/, '')}/api/2.0/mlflow/${path}`, origin);
    const isSearch = path.endsWith('/search');
    if (!isSearch)
      for (const [key, value] of Object.entries(query)) place.searchParams.set(key, String(value));
    const response = await fetch(place, {
      method: isSearch ? 'POST' : 'GET',
      headers,
      ...(isSearch ? { body: JSON.stringify(query) } : {}),
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(mostMs)]),
    });
    if (!response.ok)
      throw new GrusError(`MLflow at ${place.host} answered ${response.status}`, {
        advice: 'Check --mlflow.',
      });
    return shape.parse(await response.json());
  };
}
