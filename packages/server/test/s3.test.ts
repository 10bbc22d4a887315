// Files in a bucket, and runs from one: a real S3 server, which checks every signature.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BucketSettings, openBucket } from '../src/artefacts/bucket.js';
import { openArtefacts } from '../src/artefacts/files.js';
import { inBucket } from '../src/artefacts/in-bucket.js';
import { digestOfFile, pushRun } from '../src/client/push.js';
import { openDatabase } from '../src/store/open.js';
import { dropOld } from '../src/store/retention.js';
import { filesOf, textFile } from './support/files.js';
import { freePort } from './support/postgres.js';
import { recorded, testServer } from './support/server.js';
import { runPython, type Service, servicesPython, startService } from './support/services.js';

const folder = mkdtempSync(join(tmpdir(), 'grus-s3-test-'));
let moto: Service | null = null;
let origin = '';
let keys = { region: 'us-east-1', accessKeyId: '', secretAccessKey: '' };

beforeAll(async () => {
  if (servicesPython === undefined) return;
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  moto = await startService(['-m', 'moto.server', '-H', '127.0.0.1', '-p', String(port)], {
    cwd: folder,
    ready: `${origin}/moto-api/`,
    env: { MOTO_S3_DEFAULT_MAX_KEYS: '3', INITIAL_NO_AUTH_ACTION_COUNT: '4' },
  });
  // After these four actions nobody gets anything without a right signature.
  const made = await runPython(`
import boto3, json
ask = dict(endpoint_url="${origin}", region_name="us-east-1", aws_access_key_id="a", aws_secret_access_key="a")
iam, s3 = boto3.client("iam", **ask), boto3.client("s3", **ask)
iam.create_user(UserName="grus")
key = iam.create_access_key(UserName="grus")["AccessKey"]
every = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]}
iam.put_user_policy(UserName="grus", PolicyName="all", PolicyDocument=json.dumps(every))
s3.create_bucket(Bucket="team")
print(json.dumps({"accessKeyId": key["AccessKeyId"], "secretAccessKey": key["SecretAccessKey"]}))
`);
  keys = { ...keys, ...JSON.parse(made) };
});
afterAll(async () => {
  await moto?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const at = (place: string): BucketSettings => ({ url: `${origin}/team/${place}`, ...keys });

describe.skipIf(servicesPython === undefined)('a bucket (skipped without GRUS_SERVICES_PYTHON)', () => {
  it('keeps what comes, gives it back, and lists all of it, whatever the names are', async () => {
    const bucket = openBucket(at('a place/über'));
    const names = ['<b>&amp;.log', 'a b+c/d%20e', 'x/1', 'x/2', 'x/3', "quote'()*!"];
    const file = filesOf(recorded('shape-flatten-cnn'))[0]!;
    const digest = await digestOfFile(file);
    for (const name of names) await bucket.put(name, file.absolute, digest);
    const listed = [];
    for await (const { key, size } of bucket.list('')) listed.push({ key, size });
    expect(listed.map(({ key }) => key)).toEqual([...names].sort());
    expect(new Set(listed.map(({ size }) => size))).toEqual(new Set([file.size]));
    for (const name of names)
      expect(Buffer.concat(await (await bucket.get(name))!.toArray()).length).toBe(file.size);
    await bucket.remove('x/2');
    expect(await bucket.head('x/2')).toBeNull();
    expect(await bucket.get('x/2')).toBeNull();
    await expect(openBucket({ ...at(''), secretAccessKey: 'wrong' }).head('x')).rejects.toThrow(
      'answered 403',
    );
  });

  it('has the files of every run; this machine only those that are worked with', async () => {
    const data = join(folder, 'server');
    const one = await testServer({ data, bucket: at('files') });
    const to = { server: one.server.url, token: one.server.token, project: 'default' };
    const told = { running: false, node: null, person: null };
    const run = { name: 'first', files: filesOf(recorded('shape-flatten-cnn')), ...told };
    const { id } = await pushRun(to, run);
    await one.settled('default');
    const cache = join(data, 'cache');
    expect(readdirSync(data)).not.toContain('files');
    // As on a machine that never saw them.
    rmSync(cache, { recursive: true });
    const log = 'step 1 loss 0.5\nstep 2 loss 0.4\n';
    const live = { name: 'live', files: [textFile('out.log', log)], ...told, running: true };
    const { files } = await pushRun(to, live);
    rmSync(cache, { recursive: true, force: true });
    const before = new Map(files.map((file) => [file.path, file]));
    const grown = { ...live, files: [textFile('out.log', `${log}step 3 loss 0.3\n`)], running: false };
    const { id: other } = await pushRun(to, grown, before);
    await one.settled('default');
    rmSync(cache, { recursive: true, force: true });
    const compared = await one.ask(`/api/projects/default/compare?run=${id}&run=${other}`);
    expect(compared.status).toBe(200);
    const whole = (await one.ask(`/api/projects/default/runs/${id}`)).body;
    expect(whole).toMatchObject({ state: 'judged', subcause: 'shape_mismatch' });
    expect(one.troubles).toEqual([]);
    await one.server.stop();

    const database = await openDatabase({ data });
    const artefacts = inBucket(openBucket(at('files')), openArtefacts(cache));
    const count = async (): Promise<number> => {
      let found = 0;
      for await (const _ of openBucket(at('files')).list('')) found++;
      return found;
    };
    // The log as it was before it grew is gone.
    expect(await count()).toBe(run.files.length + 1);
    await dropOld(database, artefacts, { days: 0, unusedMs: 0 });
    expect(await count()).toBe(0);
    await database.close();
  });

  it('is looked at for runs, each once, without their weights', async () => {
    const bucket = openBucket(at('runs'));
    for (const file of filesOf(recorded('shape-flatten-cnn')))
      await bucket.put(`<b>first/${file.path}`, file.absolute, await digestOfFile(file));
    const [weights] = filesOf(recorded('shape-flatten-cnn'));
    await bucket.put('<b>first/model.pt', weights!.absolute, await digestOfFile(weights!));
    const one = await testServer({
      sources: [{ kind: 's3', project: 'watched', bucket: at('runs') }],
      lookMs: 200,
    });
    try {
      for (;;) {
        const { status, body } = await one.ask('/api/projects/watched/runs');
        if (status === 200 && body.runs[0]?.state === 'judged') {
          expect(body.runs).toMatchObject([
            {
              subcause: 'shape_mismatch',
              running: true,
              name: expect.stringMatching(/\/team\/runs\/<b>first$/),
            },
          ]);
          const { files } = (await one.ask(`/api/projects/watched/runs/${body.runs[0].id}`)).body;
          expect(files.map(({ path }: { path: string }) => path)).not.toContain('model.pt');
          break;
        }
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
      expect(one.troubles).toEqual([]);
    } finally {
      await one.stop();
    }
  });
});
