// `grus watch` as a shell meets it: what passes through, what is warned of, how it ends.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { grus, python, scratch, start } from './grus.js';

/** Prints steps of a loop; the loss becomes NaN at the step given as argument. */
const script = `
import sys, time
breaks, steps, pause = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
for step in range(steps):
    loss = float("nan") if step >= breaks else 3.0 / (step + 1) + 0.1
    print(f"step {step}: loss={loss:.4f}", flush=True)
    time.sleep(pause)
print("Training finished.", file=sys.stderr)
`;

/** Keeps what it should let go, prints how much memory it holds, and goes on until it is stopped. */
const leaking = `
import os, time
held = []
for step in range(5000):
    held.append(b"x" * 300_000)
    pages = int(open("/proc/self/statm").read().split()[1])
    memory = pages * os.sysconf("SC_PAGE_SIZE") / 2**30
    print(f"step {step}: loss={3.0 / (step + 1) + 0.1:.4f} memory_gb={memory:.6f}", flush=True)
    time.sleep(0.02)
`;

function training(): { folder: string; run: string; script: string } {
  const folder = scratch();
  const path = join(folder, 'train.py');
  writeFileSync(path, script);
  return { folder, run: join(folder, 'run'), script: path };
}

/** Two ranks of which the second dies at its twelfth step: in its first attempt, or in each. They wait for nobody: after a restart Gloo may look for
 * a peer of the attempt before. */
const elastic = `
import os, sys, time
again = os.environ["TORCHELASTIC_RESTART_COUNT"] != "0"
for step in range(1, 31):
    time.sleep(0.02)
    print(f"step {step}: loss={2.0 / (1 + 0.1 * step):.4f}", flush=True)
    if step == 12 and os.environ["RANK"] == "1" and (sys.argv[1] == "always" or not again):
        os._exit(7)
print("Training finished.", flush=True)
`;

describe('a job that torchrun starts again', () => {
  it.each([
    ['once', 0, 'unknown'],
    ['always', 1, 'failed'],
  ])('when a rank dies %s', async (when, exit, outcome) => {
    const folder = scratch();
    const run = join(folder, 'run');
    writeFileSync(join(folder, 'train.py'), elastic);
    const launch = [
      '-m',
      'torch.distributed.run',
      '--standalone',
      '--nproc-per-node',
      '2',
      '--max-restarts',
      '1',
      '--tee',
      '3',
    ];
    const command = [python, ...launch, '--log-dir', join(folder, 'logs'), join(folder, 'train.py'), when];
    const { code, stdout, stderr } = await grus(['watch', '--json', run, '--', ...command]);
    expect({ code, outcome: JSON.parse(stdout).outcome }, stderr).toEqual({ code: exit, outcome });
  });
});

describe('a command under watch', () => {
  it('keeps its input, output and errors, and what it printed', async () => {
    const { run } = training();
    const code = 'import sys; print("in:", input()); print("out"); print("err", file=sys.stderr)';
    const {
      code: exit,
      stdout,
      stderr,
    } = await grus(['watch', run, '--', python, '-c', code], { input: 'word\n' });
    expect(stdout).toBe('in: word\nout\n');
    expect(stderr).toContain('err\n');
    expect(exit).toBe(0);
    expect(readFileSync(join(run, 'grus-console.log'), 'utf8').split('\n').sort()).toEqual([
      '',
      'err',
      'in: word',
      'out',
    ]);
  });

  it('ends with 0 when nothing was found; without held-out data that is no proof of health', async () => {
    const { run, script } = training();
    const { code, stdout, stderr } = await grus(['watch', run, '--', python, script, '999', '40', '0.01']);
    expect(stdout.split('\n')).toHaveLength(41);
    expect(stderr).toContain('Too little evidence to say');
    expect(stderr).not.toContain('grus: warning');
    expect(code).toBe(0);
  });

  it('fails with 1, or with its own code where that is wanted', async () => {
    const { run } = training();
    const command = ['--', python, '-c', 'raise SystemExit(7)'];
    expect((await grus(['watch', run, ...command])).code).toBe(1);
    expect((await grus(['watch', '--keep-exit-code', run, ...command])).code).toBe(7);
    const killed = ['--', python, '-c', 'import os; os.kill(os.getpid(), 9)'];
    expect((await grus(['watch', '--keep-exit-code', run, ...killed])).code).toBe(137);
  });

  it('warns, notifies, stops on the warning, and answers in one JSON object', async () => {
    const { folder, run, script } = training();
    const told = join(folder, 'told.json');
    const { code, stdout, stderr } = await grus([
      ...['watch', '--json', '--stop-on', 'non-finite', '--notify', `cat > ${told}`, run],
      ...['--', python, script, '20', '10000', '0.05'],
    ]);
    const answer = JSON.parse(stdout);
    const measured = { precision: expect.any(Number), warnings: expect.any(Number) };
    expect(answer).toMatchObject({
      outcome: 'failed',
      onset_step: 20,
      command: { stopped_on: 'non-finite', stopped_because: 'The loss (loss) is NaN' },
      warnings: [{ warning: 'non-finite', step: 20, lead_steps: 0, precision: measured }],
    });
    expect(stderr).toContain('grus: warning at step 20: The loss (loss) is NaN');
    expect(stderr).toContain('Grus stopped the run at step 20, as --stop-on non-finite asks');
    expect(stderr).toContain('step 19: loss=');
    expect(JSON.parse(readFileSync(told, 'utf8'))).toEqual(answer.warnings[0]);
    expect(code).toBe(1);
  });

  it.skipIf(process.platform !== 'linux')(
    'is stopped while it leaks, long before it is out of memory',
    async () => {
      const { run } = training();
      const { stdout } = await grus([
        ...['watch', '--json', '--stop-on', 'gpu_leak', run, '--', python, '-c', leaking],
      ]);
      const answer = JSON.parse(stdout);
      expect(answer.command).toMatchObject({ stopped_on: 'memory-growth' });
      expect(answer.warnings[0]).toMatchObject({ warning: 'memory-growth', subcause: 'gpu_leak' });
      expect(answer.warnings[0].evidence[0].fact).toMatch(/^memory_gb rose steadily from /);
    },
  );

  it.each(['SIGINT', 'SIGTERM'] as const)('gets %s handed on', async (signal) => {
    const { run } = training();
    const code = `
import signal, sys, time
def stop(number, frame):
    print("got", signal.Signals(number).name, flush=True)
    sys.exit(0)
signal.signal(signal.${signal}, stop)
sys.stdout.write("ready\\n")
time.sleep(60)
`;
    const child = start(['watch', run, '--', python, '-c', code]);
    let stdout = '';
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
      if (String(chunk).includes('ready')) child.kill(signal);
    });
    const exit = await new Promise((resolve) => child.on('close', resolve));
    expect(stdout).toBe(`ready\ngot ${signal}\n`);
    expect(exit).toBe(0);
  });

  it('tells the hooks where to record, and starts without the console of the run before', async () => {
    const { run } = training();
    const say = (text: string): string[] => [
      '--',
      python,
      '-c',
      `import os; print(os.environ["GRUS_RUN_DIR"]); ${text}`,
    ];
    await grus(['watch', run, ...say('raise ValueError("first")')]);
    const second = await grus(['watch', run, ...say('pass')]);
    expect(second.stdout.trim()).toBe(run);
    expect(second.code).toBe(0);
    expect(readFileSync(join(run, 'grus-console.log'), 'utf8')).not.toContain('first');
  });
});

describe('a directory', () => {
  it('is followed until its run has ended', async () => {
    const { run } = training();
    mkdirSync(run);
    const rows = Array.from({ length: 30 }, (_, i) =>
      JSON.stringify({ step: i, loss: i < 20 ? 3 - i / 10 : 'NaN' }),
    );
    writeFileSync(join(run, 'metrics.jsonl'), `${rows.join('\n')}\n`);
    const { code, stdout } = await grus(['watch', '--json', '--idle', '1', run]);
    expect(JSON.parse(stdout)).toMatchObject({
      outcome: 'failed',
      command: null,
      warnings: [{ warning: 'non-finite' }],
    });
    expect(code).toBe(1);
  });
});

describe('what cannot be done', () => {
  it.each([
    [['watch'], 'nothing to watch'],
    [['watch', 'no/such/run'], 'cannot be read'],
    [['watch', 'a', 'b', '--', 'true'], 'More than one directory'],
    [['watch', '--stop-on', 'bad-luck', 'x', '--', 'true'], 'no warning, sub-cause or category'],
    [['watch', '--stop-on', 'any', '.'], 'only for a command'],
    [['watch', 'run', '--', 'no-such-program-here'], 'cannot be started'],
  ])('%j', async (args, message) => {
    const folder = scratch();
    const { code, stdout, stderr } = await grus(args, { cwd: folder });
    expect(stderr).toContain(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stdout).toBe('');
    expect(code).toBe(2);
    expect(existsSync(join(folder, 'grus-runs'))).toBe(false);
  });
});
