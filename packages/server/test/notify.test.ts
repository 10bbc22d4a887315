// Who is told what, by real receivers: each failure once, whatever comes again, and nothing elsewhere.
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pushRun } from '../src/client/index.js';
import { parseNotify } from '../src/index.js';
import { filesOf, textFile } from './support/files.js';
import { findPostgres, type RealPostgres, startPostgres } from './support/postgres.js';
import { httpReceiver, smtpReceiver } from './support/receivers.js';
import { recorded, testServer } from './support/server.js';

const programs = findPostgres();
const hostile = '<!channel> <script>alert(1)</script>';
const secret = 'a long secret';
let one: Awaited<ReturnType<typeof testServer>>;
let postgres: RealPostgres | null = null;
let http: Awaited<ReturnType<typeof httpReceiver>>;
let smtp: Awaited<ReturnType<typeof smtpReceiver>>;

const failing = filesOf(recorded('shape-flatten-cnn'));
const push = (name: string, extra: string, { project = 'default', running = false } = {}) =>
  pushRun(
    { server: one.server.url, token: one.server.token, project },
    { name, files: [...failing, textFile('config.json', extra)], running, node: 'node-7', person: null },
  );
const notifications = async (project = 'default') =>
  (await one.ask(`/api/projects/${project}/notifications`)).body.notifications as {
    channel: string;
    event: string;
    state: string;
    trouble: string | null;
  }[];
/** Judged, and everything told that was to be told. */
const told = async (project = 'default') => {
  await one.settled(project);
  for (;;) {
    const open = (await notifications(project)).filter(({ state }) => ['waiting', 'sending'].includes(state));
    if (open.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
};

beforeAll(async () => {
  postgres = programs === null ? null : await startPostgres(programs);
  http = await httpReceiver((path, before) =>
    path === '/redirected' ? 302 : path === '/hook' && before === 0 ? 503 : 200,
  );
  smtp = await smtpReceiver();
  const notify = parseNotify(
    {
      address: 'https://grus.example',
      channel: [
        { name: 'hook', kind: 'webhook', url: `${http.url}/hook`, secret: 'env:SECRET' },
        {
          name: 'chat',
          kind: 'slack',
          url: `${http.url}/chat`,
          on: ['failure'],
          text: '{headline}\n{again}\n{link}',
        },
        { name: 'again', kind: 'webhook', url: `${http.url}/again`, on: ['recurrence'] },
        { name: 'mail', kind: 'email', smtp: smtp.url, from: 'grus@grus.example', to: ['ada@team.example'] },
        { name: 'other', kind: 'webhook', url: `${http.url}/other`, projects: ['other'] },
        { name: 'moved', kind: 'webhook', url: `${http.url}/redirected`, on: ['failure'] },
      ],
    },
    { SECRET: secret },
  );
  one = await testServer({ database: postgres?.url, notify });
});
afterAll(async () => {
  await one?.stop();
  http?.stop();
  smtp?.stop();
  await postgres?.stop();
});

it('tells a failure once to each channel that wants it, and tries again when it was not taken', async () => {
  const { id } = await push(hostile, '{"lr": 0.1}');
  await told();
  const [refused, taken, ...more] = http.at('/hook');
  expect(more).toEqual([]);
  // The same message in both tries, by its id and its signature.
  expect(taken?.json).toEqual(refused?.json);
  expect(taken?.json).toMatchObject({
    event: 'failure',
    project: 'default',
    run: hostile,
    subcause: 'shape_mismatch',
    node: 'node-7',
    link: `https://grus.example/p/default/runs/${id}`,
  });
  expect(taken?.headers['grus-notification']).toBe(taken?.json.id);
  const signed = createHmac('sha256', secret).update(JSON.stringify(taken?.json)).digest('hex');
  expect(taken?.headers['grus-signature']).toBe(`sha256=${signed}`);
  // A name can call nobody.
  expect(http.at('/chat').map(({ json }) => json.text)).toEqual([
    expect.stringMatching(
      /^&lt;!channel&gt; &lt;script&gt;.*\n.*\nhttps:\/\/grus\.example\/p\/default\/runs\/\S+$/,
    ),
  ]);
  expect(smtp.mails).toMatchObject([{ to: ['ada@team.example'], text: expect.stringContaining('To do: ') }]);
  expect(smtp.mails[0]!.text).toMatch(/^Subject: .*script/m);
  expect(http.at('/again')).toEqual([]);
  expect(http.at('/other')).toEqual([]);
});

it('follows nobody elsewhere, and says what came of it', async () => {
  expect(http.at('/redirected')).toHaveLength(1);
  expect(http.at('/elsewhere')).toEqual([]);
  expect(await notifications()).toContainEqual(
    expect.objectContaining({ channel: 'moved', state: 'refused', trouble: 'it answered 302' }),
  );
  await one.post('/api/projects', { name: 'other' });
  const { body } = await one.post('/api/projects/other/tokens', { name: 'theirs', role: 'admin' });
  expect((await one.ask('/api/projects/default/notifications', { token: body.token })).status).toBe(404);
});

it('tells nothing twice: other files with the same failure, the same files again', async () => {
  const before = http.received.length;
  await push(hostile, '{"lr": 0.2}');
  await told();
  await push('another name', '{"lr": 0.2}');
  await told();
  expect(http.received.length).toBe(before);
  expect(smtp.mails).toHaveLength(1);
});

it('says that a failure came again, and nothing of one that is muted', async () => {
  await push('second', '{"lr": 0.3}');
  await told();
  const [again] = http.at('/again');
  expect(again?.json).toMatchObject({ event: 'recurrence', run: 'second' });
  expect(again?.json.again).toMatch(/^The same failure as in 1 run before, first \d{4}-/);
  expect(http.at('/chat')).toHaveLength(2);

  const { body } = await one.ask('/api/projects/default/recurrences');
  const [{ fingerprint }] = body.recurrences;
  await one.ask(`/api/projects/default/recurrences/${fingerprint}`, {
    method: 'PUT',
    body: JSON.stringify({ muted: true }),
    headers: { 'content-type': 'application/json' },
  });
  const before = http.received.length;
  await push('third', '{"lr": 0.4}');
  await told();
  expect(http.received.length).toBe(before);
});

it('warns early, then tells of the failure when the run has ended, in the projects that a channel is for', async () => {
  const extra = '{"lr": 0.5}';
  const { id } = await push('live', extra, { project: 'other', running: true });
  const warning = {
    warning: 'non-finite',
    title: 'The loss is no number',
    expected_failure: 'nothing is learned any more',
    subcause: null,
    step: 40,
    time: '2026-01-01T00:00:00.000Z',
  };
  for (const _ of [1, 2]) await one.post(`/api/projects/other/runs/${id}/warnings`, { warnings: [warning] });
  await told('other');
  const headlines = () => http.at('/other').map(({ json }) => `${json.event}: ${json.headline}`);
  expect(headlines().sort()).toEqual([
    expect.stringMatching(/^warning: Still running: Failed/),
    'warning: The loss is no number: nothing is learned any more (step 40)',
  ]);
  // The same files, and it has ended.
  await push('live', extra, { project: 'other' });
  await told('other');
  expect(headlines().slice(2)).toEqual([expect.stringMatching(/^failure: Failed/)]);
});

it('says what is wrong in a configuration', () => {
  const parse = (channel: object) => () => parseNotify({ channel: [{ name: 'a', ...channel }] }, {});
  expect(parse({ kind: 'slack', url: 'file:///etc/passwd' })).toThrow('channel.0.url');
  expect(parse({ kind: 'slack', url: 'https://x', text: '{runn}' })).toThrow('{runn} is not known');
  expect(parse({ kind: 'slack', url: 'env:NOWHERE' })).toThrow('NOWHERE is not set');
  expect(parse({ kind: 'pager', url: 'https://x' })).toThrow('channel.0.kind');
});
