// How fast the readers are, and how much memory they take, on files made here: event files beside TensorBoard's own
// EventAccumulator in the same run, console logs in MB/s, and memory from 10 MB to the size given.
//
//   npm run bench -- readers [--events 1000000] [--console-mb 200] [--memory-mb 10,100,1000,5000]
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const { values: options } = parseArgs({
  options: {
    events: { type: 'string', default: '1000000' },
    'console-mb': { type: 'string', default: '200' },
    'memory-mb': { type: 'string', default: '10,100,1000,5000' },
    'read-one': { type: 'string' },
  },
});

const self = fileURLToPath(import.meta.url);
const repository = fileURLToPath(new URL('../../../', import.meta.url));
const python = process.env.GRUS_PYTHON ?? join(repository, '.venv/bin/python');
const bundles = join(repository, 'node_modules', '.cache', 'grus', 'readers');
if (!options['read-one']) await bundle();
const { crc32c, maskCrc } = await import(pathToFileURL(join(bundles, 'crc32c.js')).href);
const { readRun } = await import(pathToFileURL(join(bundles, 'read-run.js')).href);

if (options['read-one']) {
  const path = options['read-one'];
  const cpu = process.cpuUsage();
  const began = performance.now();
  const record = await readRun(path);
  const wallMs = performance.now() - began;
  const points = record.series.reduce((sum, series) => sum + series.seen, 0);
  const { user, system } = process.cpuUsage(cpu);
  const peakMb = process.resourceUsage().maxRSS / 1024;
  console.log(JSON.stringify({ wallMs, cpuMs: (user + system) / 1000, points, peakMb }));
  process.exit(0);
}

const formats = {
  nanoGPT: (i) =>
    `iter ${i}: loss ${(4 / (1 + i * 1e-4)).toFixed(4)}, time ${(130 + (i % 7)).toFixed(2)}ms, mfu 12.30%\n`,
  Megatron: (i) =>
    ` [2025-02-20 11:18:${String(i % 60).padStart(2, '0')}] iteration ${String(i).padStart(8)}/25000000 | consumed samples: ${String(i * 4).padStart(12)} | elapsed time per iteration (ms): 585.1 | learning rate: 1.000000E-05 | global batch size:     4 | lm loss: ${(4 / (1 + i * 1e-4)).toExponential(6)} | loss scale: 1.0 | grad norm: ${(1 + (i % 13) / 7).toFixed(3)} | number of skipped iterations:   0 | number of nan iterations:   0 |\n`,
  'Hugging Face': (i) =>
    `{'loss': ${(4 / (1 + i * 1e-4)).toFixed(4)}, 'grad_norm': ${(1 + (i % 13) / 7).toFixed(4)}, 'learning_rate': ${(5e-5 / (1 + i)).toExponential(4)}, 'epoch': ${(i / 1000).toFixed(2)}}\n`,
  'mixed prose': (i) =>
    i % 3 === 0
      ? `step ${i} loss ${(4 / (1 + i * 1e-4)).toFixed(4)} lr 0.0001\n`
      : i % 3 === 1
        ? `[INFO] worker ${i % 8} fetched shard ${i} of corpus-${i % 97} from cache in ${i % 50} ms\n`
        : `Some words of a library that says ${['one', 'two', 'three', 'four'][i % 4]} things about item ${i}\n`,
};

const folder = mkdtempSync(join(tmpdir(), 'grus-bench-'));
try {
  await benchEvents(Number(options.events));
  for (const [name, line] of Object.entries(formats))
    await benchConsole(name, line, Number(options['console-mb']));
  for (const size of options['memory-mb'].split(',')) await benchMemory(Number(size));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** From the sources, as the command line is. */
async function bundle() {
  const { build } = await import('esbuild');
  const readers = join(repository, 'packages', 'training', 'src', 'readers');
  await build({
    entryPoints: [join(readers, 'bytes', 'crc32c.ts'), join(readers, 'read-run.ts')],
    entryNames: '[name]',
    outdir: bundles,
    conditions: ['source'],
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['node-sqlite3-wasm', 'yaml'],
    logLevel: 'warning',
  });
}

function readOne(path) {
  const run = spawnSync(process.execPath, [self, '--read-one', path], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  if (run.status !== 0) throw new Error(run.stderr);
  return JSON.parse(run.stdout);
}

function benchEvents(count) {
  const path = join(folder, 'events.out.tfevents.1700000000.bench');
  writeEvents(path, count);
  const warmUp = join(folder, 'events.out.tfevents.1600000000.warm');
  writeEvents(warmUp, 10);
  const ours = readOne(path);
  const megabytes = statSync(path).size / 1e6;
  console.log(
    `events: ${count} records, ${megabytes.toFixed(0)} MB | grus ${ours.wallMs.toFixed(0)} ms (cpu ${ours.cpuMs.toFixed(0)} ms, ${ours.points} points, peak ${ours.peakMb.toFixed(0)} MB)`,
  );
  if (!existsSync(python)) {
    console.log(`events: no Python at ${python}: EventAccumulator not measured`);
    return;
  }
  const script = `
import json, resource, sys, time
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
# The first reload imports TensorFlow, which is not the reader's doing.
EventAccumulator(sys.argv[2]).Reload()
began, cpu = time.perf_counter(), time.process_time()
accumulator = EventAccumulator(sys.argv[1], size_guidance={"scalars": 0})
accumulator.Reload()
points = sum(len(accumulator.Scalars(tag)) for tag in accumulator.Tags()["scalars"])
print(json.dumps({"wallMs": (time.perf_counter() - began) * 1e3, "cpuMs": (time.process_time() - cpu) * 1e3, "points": points,
                  "peakMb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))`;
  const run = spawnSync(python, ['-c', script, path, warmUp], {
    encoding: 'utf8',
    env: { ...process.env, TF_CPP_MIN_LOG_LEVEL: '3' },
  });
  if (run.status !== 0) throw new Error(run.stderr);
  const theirs = JSON.parse(run.stdout.trim().split('\n').at(-1));
  console.log(
    `events: EventAccumulator ${theirs.wallMs.toFixed(0)} ms (cpu ${theirs.cpuMs.toFixed(0)} ms, ${theirs.points} points, peak ${theirs.peakMb.toFixed(0)} MB) | ${(theirs.wallMs / ours.wallMs).toFixed(1)} times slower by the clock, ${(theirs.cpuMs / ours.cpuMs).toFixed(1)} by cpu`,
  );
}

function writeEvents(path, count) {
  const tags = ['train/loss', 'train/grad_norm', 'train/learning_rate', 'eval/loss'].map((tag) =>
    Buffer.from(tag),
  );
  const file = openSync(path, 'w');
  let chunks = [];
  let size = 0;
  const flush = () => {
    writeSync(file, Buffer.concat(chunks));
    chunks = [];
    size = 0;
  };
  const record = (data) => {
    const frame = Buffer.alloc(data.length + 16);
    frame.writeUInt32LE(data.length, 0);
    frame.writeUInt32LE(maskCrc(crc32c(frame, 0, 8)), 8);
    data.copy(frame, 12);
    frame.writeUInt32LE(maskCrc(crc32c(data, 0, data.length)), data.length + 12);
    chunks.push(frame);
    size += frame.length;
    if (size > 1 << 20) flush();
  };
  const event = (step, body) => {
    const time = Buffer.alloc(9);
    time[0] = 0x09;
    time.writeDoubleLE(1.7e9 + step, 1);
    return Buffer.concat([time, Buffer.from([0x10, ...varint(step)]), body]);
  };
  record(event(0, Buffer.concat([Buffer.from([0x1a, 13]), Buffer.from('brain.Event:2')])));
  for (let index = 0; index < count; index++) {
    const tag = tags[index % tags.length];
    const value = Buffer.alloc(tag.length + 7);
    value[0] = 0x0a;
    value[1] = tag.length;
    tag.copy(value, 2);
    value[tag.length + 2] = 0x15;
    value.writeFloatLE(Math.sin(index / 1000), tag.length + 3);
    const summary = Buffer.concat([Buffer.from([0x0a, value.length]), value]);
    record(
      event(Math.floor(index / tags.length), Buffer.concat([Buffer.from([0x2a, summary.length]), summary])),
    );
  }
  flush();
  closeSync(file);
}

function varint(value) {
  const bytes = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  return [...bytes, rest];
}

function writeConsole(path, line, megabytes) {
  const file = openSync(path, 'w');
  let written = 0;
  let index = 0;
  while (written < megabytes * 1e6) {
    const lines = [];
    let size = 0;
    while (size < 1 << 20) {
      const text = line(++index);
      lines.push(text);
      size += text.length;
    }
    written += writeSync(file, lines.join(''));
  }
  closeSync(file);
}

function benchConsole(name, line, megabytes) {
  const path = join(folder, 'console.log');
  writeConsole(path, line, megabytes);
  const { wallMs, cpuMs, points, peakMb } = readOne(path);
  const size = statSync(path).size / 1e3;
  console.log(
    `console, ${name}: ${(size / wallMs).toFixed(0)} MB/s by the clock, ${(size / cpuMs).toFixed(0)} MB per cpu second (${points} points, peak ${peakMb.toFixed(0)} MB)`,
  );
}

function benchMemory(megabytes) {
  const path = join(folder, 'memory.log');
  writeConsole(path, formats['Megatron'], megabytes);
  const { wallMs, peakMb } = readOne(path);
  rmSync(path);
  console.log(
    `memory: ${megabytes} MB of console log: peak ${peakMb.toFixed(0)} MB, ${(megabytes / (wallMs / 1e3)).toFixed(0)} MB/s`,
  );
}
