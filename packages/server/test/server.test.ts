// The same server on both databases: what comes in, what is said of it, and what is refused.
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pullLabels, pushRun } from '../src/client/index.js';
import { filesOf, textFile } from './support/files.js';
import { findPostgres, type RealPostgres, startPostgres } from './support/postgres.js';
import { recorded, testServer } from './support/server.js';

const programs = findPostgres();
let postgres: RealPostgres | null = null;

beforeAll(async () => {
  if (programs !== null) postgres = await startPostgres(programs);
});
afterAll(async () => {
  await postgres?.stop();
});

const digest = (text: string) => createHash('sha256').update(text).digest('hex');

describe.each([
  { name: 'the embedded database', address: () => undefined },
  { name: 'PostgreSQL (skipped where it is not installed)', address: () => postgres!.fresh() },
])('on $name', ({ name, address }) => {
  const skipped = name.startsWith('PostgreSQL') && programs === null;
  let one: Awaited<ReturnType<typeof testServer>>;
  const tokens: Record<string, string> = {};
  const to = (project: string) => ({ server: one.server.url, token: tokens[project]!, project });
  const run = (files: ReturnType<typeof filesOf>, named: string) => ({
    name: named,
    files,
    running: false,
    node: 'node-7',
    person: 'ada',
  });

  beforeAll(async () => {
    if (skipped) return;
    one = await testServer({ database: address() });
    for (const project of ['vision', 'speech']) {
      await one.post('/api/projects', { name: project });
      const { body } = await one.post(`/api/projects/${project}/tokens`, { name: 'ci', role: 'write' });
      tokens[project] = body.token;
    }
  });
  afterAll(async () => {
    if (!skipped) await one.stop();
  });

  it.skipIf(skipped)('diagnoses a run, knows it again, and takes its next state', async () => {
    const folder = recorded('shape-flatten-cnn');
    const first = await pushRun(to('vision'), run(filesOf(folder), 'exp-1'));
    expect(first).toMatchObject({ status: 'new', sent: 1 });
    await one.settled('vision');
    const { body } = await one.ask(`/api/projects/vision/runs/${first.id}`);
    expect(body).toMatchObject({
      state: 'judged',
      outcome: 'failed',
      subcause: 'shape_mismatch',
      node: 'node-7',
      person: 'ada',
      verdict: { path: 'exp-1', subcause: 'shape_mismatch' },
    });
    expect(body.verdict.evidence.length).toBeGreaterThan(0);

    const again = await pushRun(to('vision'), run(filesOf(folder), 'another name'));
    expect(again).toMatchObject({ id: first.id, status: 'known', sent: 0 });

    const grown = await pushRun(to('vision'), run(filesOf(recorded('cuda-hf-oom')), 'exp-1'));
    expect(grown).toMatchObject({ id: first.id, status: 'updated' });
    await one.settled('vision');
    const later = await one.ask(`/api/projects/vision/runs/${first.id}`);
    expect(later.body).toMatchObject({ state: 'judged', subcause: 'gpu_capacity' });
    // And back again: the verdict of before still holds.
    await pushRun(to('vision'), run(filesOf(folder), 'exp-1'));
    await one.settled('vision');
    const back = await one.ask(`/api/projects/vision/runs/${first.id}`);
    expect(back.body).toMatchObject({ state: 'judged', subcause: 'shape_mismatch' });
  });

  it.skipIf(skipped)('lists, narrows, finds words of the evidence, and turns pages', async () => {
    for (const scenario of ['cuda-hf-oom', 'cuda-hf-healthy', 'cuda-fp16-overflow'])
      await pushRun(to('speech'), run(filesOf(recorded(scenario)), scenario));
    await one.settled('speech');
    const list = async (query: string) =>
      (await one.ask(`/api/projects/speech/runs?${query}`)).body.runs.map(
        ({ name }: { name: string }) => name,
      );
    expect(await list('')).toHaveLength(3);
    expect(await list('subcause=gpu_capacity')).toEqual(['cuda-hf-oom']);
    expect(await list('q=memory&outcome=failed')).toEqual(['cuda-hf-oom']);
    expect(await list('q=%22%27%29%3B--')).toEqual([]);
    // A name is a path as a rule: each part of it is a word, also of a run that cannot be read.
    const named = 'node-7:/runs/<b>/exp-17';
    await pushRun(to('speech'), run([textFile('weights.bin', '\u0000'.repeat(3_000))], named));
    await one.settled('speech');
    for (const words of ['exp-17', 'node-7', 'runs exp-17', '/runs/'])
      expect(await list(`q=${encodeURIComponent(words)}`), words).toEqual([named]);
    expect(await list('q=exp-18')).toEqual([]);
    const pages: string[] = [];
    for (let next: string | null = ''; next !== null; ) {
      const { body } = await one.ask(`/api/projects/speech/runs?limit=1${next && `&after=${next}`}`);
      pages.push(body.runs[0].name);
      next = body.next;
    }
    expect(pages.sort()).toEqual(['cuda-fp16-overflow', 'cuda-hf-healthy', 'cuda-hf-oom', named]);
    // Places that no list gave out, and runs that cannot be.
    const id = '00000000-0000-0000-0000-000000000000';
    const forged = [
      '',
      '9999-99-99 99:99 ',
      `2026-02-31 00:00:00+00 ${id}`,
      `1 ${'-'.repeat(36)}`,
      `1e9 ${id}`,
    ];
    for (const place of ['*', ...forged.map((text) => Buffer.from(text).toString('base64url'))])
      for (const path of ['/api/projects/speech/runs', '/p/speech'])
        expect((await one.ask(`${path}?after=${place || 'x'}`)).status, `${path} ${place}`).toBe(400);
    const far = Buffer.from(`9999999999999999 ${id}`).toString('base64url');
    expect((await one.ask(`/api/projects/speech/runs?after=${far}`)).body.runs).toHaveLength(4);
    expect((await one.ask(`/api/projects/speech/runs/${'-'.repeat(36)}`)).status).toBe(404);
  });

  it.skipIf(skipped)('says why a run cannot be read, and goes on with the others', async () => {
    const weights = textFile('weights.bin', `\u0000${'\u0001'.repeat(3_000)}`);
    const { id } = await pushRun(to('vision'), run([weights], 'binary'));
    const odd = [
      textFile('config.json', String.raw`{"lr": 0.1, "note": "\u0000 \ud800 \\u0000", "\udfff": "key"}`),
      textFile('train.log', String.raw`ValueError: \u0000 is no number`),
    ];
    const hostile = await pushRun(to('vision'), run(odd, 'odd'));
    await one.settled('vision');
    const { body } = await one.ask(`/api/projects/vision/runs/${id}`);
    expect(body).toMatchObject({
      state: 'unreadable',
      trouble: expect.stringContaining('no training artefacts'),
    });
    expect((await one.ask(`/api/projects/vision/runs/${hostile.id}`)).body.state).toBe('judged');
  });

  it.skipIf(skipped)(
    'shows a project to its own tokens alone, and lets each do what its role says',
    async () => {
      const { body } = await one.ask('/api/projects/vision/runs');
      const id = body.runs[0].id;
      const token = tokens['speech']!;
      const asked = { notebooks: [{ path: '/nfs/a.ipynb', digest: digest('') }] };
      const [check] = (await one.post('/api/projects/vision/checks', asked)).body.checks;
      expect((await one.ask(`/api/projects/vision/checks/${check}`)).body).toMatchObject({
        state: 'waiting',
      });
      expect((await one.post('/api/projects/vision/checks', asked, token)).status).toBe(404);
      for (const path of [`vision/checks/${check}`, `speech/checks/${check}`])
        expect((await one.ask(`/api/projects/${path}`, { token })).status, path).toBe(404);
      for (const path of [`vision/runs/${id}`, 'vision/runs', 'vision/tokens', 'nothing/runs'])
        expect((await one.ask(`/api/projects/${path}`, { token })).status, path).toBe(404);
      expect((await one.ask(`/api/projects/speech/runs/${id}`, { token })).status).toBe(404);
      expect((await one.ask('/api/projects', { token })).body).toEqual({ projects: [{ name: 'speech' }] });
      expect((await one.ask('/api/projects/speech/tokens', { token })).status).toBe(403);
      expect((await one.post('/api/projects', { name: 'mine' }, token)).status).toBe(403);
      expect((await one.ask('/api/projects', { token: 'grus_no' })).status).toBe(401);

      const reader = (await one.post('/api/projects/speech/tokens', { name: 'r', role: 'read' })).body;
      const submission = { name: 'x', files: [{ path: 'a.log', digest: digest(''), size: 0 }] };
      expect((await one.post('/api/projects/speech/runs', submission, reader.token)).status).toBe(403);
      expect((await one.post('/api/projects/speech/checks', asked, reader.token)).status).toBe(403);
      await one.ask(`/api/projects/speech/tokens/${reader.id}`, { method: 'DELETE' });
      expect((await one.ask('/api/projects', { token: reader.token })).status).toBe(401);
      const audit = await one.ask('/api/projects/speech/audit');
      expect(audit.body.audit.map(({ action }: { action: string }) => action)).toEqual(
        expect.arrayContaining(['token made', 'token revoked', 'run new']),
      );
    },
  );

  it.skipIf(skipped)(
    'refuses paths that lead elsewhere, other bytes than promised, and too many of them',
    async () => {
      const file = (path: string, size = 1) => ({ path, digest: digest('a'), size });
      for (const path of [
        '../a',
        '/etc/passwd',
        'a/../../b',
        'a//b',
        'C:\\x',
        'a\\..\\b',
        'a\u0000b',
        './a',
        '',
      ])
        expect(
          (await one.post('/api/projects/vision/runs', { name: 'x', files: [file(path)] })).status,
          path,
        ).toBe(400);
      const put = (name: string, bytes: string) =>
        one.ask(`/api/projects/vision/files/${name}`, { method: 'PUT', body: bytes });
      expect((await put(digest('a'), 'b')).status).toBe(422);
      expect((await put('..%2f..%2fx', 'b')).status).toBe(400);
      const large = 'a'.repeat(1_000_001);
      expect((await put(digest(large), large)).status).toBe(413);
      const heavy = { name: 'x', files: [file('a', 1_000_000), file('b', 1_000_000)] };
      expect((await one.post('/api/projects/vision/runs', heavy)).status).toBe(413);
      // What a run says of the length of its files is looked at: together they would be too long.
      const long = 'a'.repeat(900_000);
      const other = `b${long}`;
      for (const bytes of [long, other]) expect((await put(digest(bytes), bytes)).status).toBe(200);
      const submitted = (sizes: readonly number[]) =>
        one.post('/api/projects/vision/runs', {
          name: 'lengths',
          files: [long, other].slice(0, sizes.length).map((bytes, at) => ({
            path: `${at}.log`,
            digest: digest(bytes),
            size: sizes[at],
          })),
        });
      expect((await submitted([1, 1])).status).toBe(422);
      expect((await submitted([900_000, 900_001])).status).toBe(413);
      expect((await submitted([900_000])).body).toMatchObject({ status: 'new' });
      await one.settled('vision');
      // Whatever is sent has a bound, also by somebody who has no token.
      const words = 'a'.repeat(5_000_000);
      const json = { 'content-type': 'application/json' };
      const said = { method: 'PUT', body: JSON.stringify({ said: words }), headers: json };
      const { body: listed } = await one.ask('/api/projects/vision/runs');
      const feedback = `/api/projects/vision/runs/${listed.runs[0].id}/feedback`;
      expect((await one.ask(feedback, said)).status).toBe(413);
      const pieces = { method: 'PUT', body: new Blob(['{}']).stream(), headers: json, duplex: 'half' };
      expect((await one.ask(feedback, pieces as RequestInit)).status).toBe(411);
      const login = (token: string) =>
        one.ask('/login', { method: 'POST', body: new URLSearchParams({ token }) });
      expect((await login(words)).status).toBe(413);
      for (const path of ['/api/projects/vision/runs?q=%00', '/p/vision?node=%00', '/p/%00'])
        expect((await one.ask(path)).status, path).toBe(400);
      const wrong: number[] = [];
      for (let at = 0; at < 25; at++) wrong.push((await login(`grus_${at}`)).status);
      expect([wrong[0], wrong.at(-1)]).toEqual([401, 429]);
      expect((await login(one.server.token)).status).toBe(200);
      // What another project sent is not there for this one.
      const known = filesOf(recorded('cuda-hf-oom')).map(({ path, absolute, size }) => ({
        path,
        size,
        digest: digest(readFileSync(absolute, 'latin1')),
      }));
      await one.post('/api/projects', { name: 'third' });
      const third = await one.post('/api/projects/third/runs', { name: 'x', files: known });
      expect(third.body.status).toBe('incomplete');
    },
  );

  it.skipIf(skipped)('keeps what people say of a verdict, and gives it out as labelled runs', async () => {
    const files = filesOf(recorded('shape-flatten-cnn'));
    const config = textFile('config.json', '{"lr": 0.1}');
    const { id } = await pushRun(to('vision'), run([...files, config], '<script>../../x</script>'));
    await one.settled('vision');
    const say = (said: string, project = 'vision', token = tokens[project]!, of = 'vision') =>
      one.ask(`/api/projects/${of}/runs/${id}/feedback`, {
        method: 'PUT',
        body: JSON.stringify({ said }),
        headers: { 'content-type': 'application/json' },
        token,
      });
    const labels = async () =>
      (await one.ask('/api/projects/vision/feedback', { token: tokens['vision']! })).body.labels;
    expect((await say('right')).status).toBe(200);
    expect(await labels()).toMatchObject([
      { id, category: 'model_software', subcause: 'shape_mismatch', said_by: 'ci' },
    ]);
    expect((await say('gpu_leak')).status).toBe(200);
    expect(await labels()).toMatchObject([{ id, category: 'memory_hardware', subcause: 'gpu_leak' }]);
    expect((await say('bad luck')).status).toBe(400);

    const { body: reader } = await one.post('/api/projects/vision/tokens', { name: 'ann', role: 'read' });
    expect((await say('right', 'vision', reader.token)).status).toBe(403);
    const [{ files: kept }] = await labels();
    const foreign = { token: tokens['speech']! };
    expect(
      [
        await say('right', 'speech'),
        await say('right', 'speech', tokens['speech'], 'speech'),
        await one.ask('/api/projects/vision/feedback', foreign),
        await one.ask(`/api/projects/vision/files/${kept[0].digest}`, foreign),
        await one.ask(`/api/projects/speech/files/${kept[0].digest}`, foreign),
        await one.ask(`/p/vision/runs/${id}/feedback`, { ...foreign, method: 'POST', body: 'said=right' }),
      ].map(({ status }) => status),
    ).toEqual([404, 404, 404, 404, 404, 404]);
    expect((await one.ask('/api/projects/speech/feedback', foreign)).body).toEqual({ labels: [] });

    const folder = mkdtempSync(join(tmpdir(), 'grus-labels-'));
    expect(await pullLabels(to('vision'), folder)).toBe(1);
    expect(JSON.parse(readFileSync(join(folder, 'labels.json'), 'utf8'))).toEqual({
      [id]: {
        category: 'memory_hardware',
        subcause: 'gpu_leak',
        run: '<script>../../x</script>',
        said_by: 'ci',
      },
    });
    for (const { path, absolute } of files)
      expect(readFileSync(join(folder, id, path))).toEqual(readFileSync(absolute));
    rmSync(folder, { recursive: true });
  });

  it.skipIf(skipped)('counts causes of every project that a token sees, and of no other', async () => {
    const causes = async (token: string): Promise<{ place: string; runs: number; weeks: number[] }[]> =>
      (await one.ask('/api/causes?by=project', { token })).body.causes;
    const everything = await causes(one.server.token);
    expect(new Set(everything.map(({ place }) => place))).toEqual(new Set(['vision', 'speech']));
    for (const { runs, weeks } of everything) expect(weeks).toEqual([...Array(12).fill(0), runs]);
    expect(await causes(tokens['speech']!)).toEqual(everything.filter(({ place }) => place === 'speech'));
  });

  it.skipIf(skipped)('compares runs, and says which difference explains how they ended', async () => {
    const base = { running: false, node: null, person: null };
    const scenarios = ['cuda-hf-healthy', 'cuda-hf-diverge', 'cuda-hf-oom'];
    const ids: string[] = [];
    await one.post('/api/projects', { name: 'compared' });
    const there = { ...to('vision'), token: one.server.token, project: 'compared' };
    for (const name of scenarios)
      ids.push((await pushRun(there, { ...base, name, files: filesOf(recorded(name)) })).id);
    await one.settled('compared');
    const [good, diverged, full] = ids;
    const compare = (query: string, token = one.server.token, project = 'compared') =>
      one.ask(`/api/projects/${project}/compare?${query}`, { token });
    // The order of the question does not matter: the one that ended best is the measure.
    const { status, body } = await compare(`run=${diverged}&run=${full}&run=${good}`);
    expect(status).toBe(200);
    expect(body.with).toBe(good);
    expect(body.comparisons).toMatchObject([
      { id: diverged, endings: 'apart', explanation: { difference: { name: 'learning_rate', after: 2.9 } } },
      { id: full, before: { path: 'cuda-hf-healthy' }, after: { subcause: 'gpu_capacity' } },
    ]);
    expect((await compare(`run=${good}&with=${diverged}`)).body).toMatchObject({
      with: diverged,
      comparisons: [{ id: good, worse: 'cuda-hf-diverge' }],
    });
    expect((await compare(`run=${good}`)).status).toBe(400);
    expect((await compare(`run=${good}&run=nothing`)).status).toBe(404);
    // Another project's runs do not exist.
    expect((await compare(`run=${good}&run=${full}`, tokens['vision'])).status).toBe(404);
    expect((await compare(`run=${good}&run=${full}`, tokens['vision'], 'vision')).status).toBe(404);
    const page = await fetch(`${one.server.url}/p/compared/runs/${diverged}/compare`, {
      headers: { authorization: `Bearer ${one.server.token}` },
      redirect: 'manual',
    });
    expect(page.headers.get('location')).toBe(`/p/compared/compare?run=${diverged}&with=${good}`);
  });

  it.skipIf(skipped)('answers machines, and no page of another name', async () => {
    const page = await fetch(`${one.server.url}/p/vision`, {
      headers: { authorization: `Bearer ${tokens['vision']}`, 'accept-encoding': 'gzip' },
    });
    expect([page.status, page.headers.get('content-encoding')]).toEqual([200, 'gzip']);
    expect(await page.text()).toContain('<table class="runs">');
    expect((await one.ask('/healthz')).body).toEqual({ status: 'ok', version: 'test' });
    expect((await one.ask('/metrics')).body).toMatch(/grus_runs\{state="judged"\} [1-9]/);
    const { body } = await one.ask('/api/openapi.json');
    expect(Object.keys(body.paths)).toContain('/projects/{project}/runs');
    const { port } = new URL(one.server.url);
    const { status } = await new Promise<{ status?: number }>((resolve, reject) => {
      import('node:http').then(({ get }) =>
        get({ port, host: '127.0.0.1', path: '/healthz', headers: { host: 'evil.example' } }, (response) =>
          resolve({ status: response.statusCode ?? 0 }),
        ).on('error', reject),
      );
    });
    expect(status).toBe(403);
  });
});

describe('a poisoned run', () => {
  it('fails alone, after a few tries, and says why', async () => {
    const one = await testServer({ jobSeconds: 4, limits: { file: 2e7, run: 2e7, requests: 100 } });
    try {
      const to = { server: one.server.url, token: one.server.token, project: 'default' };
      // Gigabytes of log in a few megabytes.
      const part = gzipSync('step 1 loss 0.5\n'.repeat(1_000_000));
      const content = Buffer.concat(Array.from({ length: 300 }, () => part));
      const files = [{ path: 'train.log.gz', absolute: '', size: content.length, content }];
      const base = { running: false, node: null, person: null };
      const { id } = await pushRun(to, { ...base, name: 'poison', files });
      const sound = await pushRun(to, {
        ...base,
        name: 'sound',
        files: filesOf(recorded('shape-flatten-cnn')),
      });
      await one.settled('default');
      expect((await one.ask(`/api/projects/default/runs/${id}`)).body).toMatchObject({
        state: 'unreadable',
        trouble: 'it was not read within 4 s',
      });
      expect((await one.ask(`/api/projects/default/runs/${sound.id}`)).body.state).toBe('judged');
      const compared = await one.ask(`/api/projects/default/compare?run=${id}&run=${sound.id}`);
      expect(compared).toMatchObject({
        status: 422,
        body: { error: 'they were not compared: it was not read within 4 s' },
      });
    } finally {
      await one.stop();
    }
  }, 300_000);
});
