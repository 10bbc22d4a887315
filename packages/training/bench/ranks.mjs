// How the diagnosis of flight-recorder dumps grows with the ranks: node packages/training/bench/ranks.mjs [CALLS]. Every rank but one has
// called the same collectives; the last of them never ends. Each size is diagnosed by a process of its own, whose memory and time of a core
// are counted: other work on the machine does not change these.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSource } from '../../../scripts/lib/load-source.mjs';

const sizes = [16, 64, 256, 1024];
const [first, folder] = process.argv.slice(2);

/** One entry as PyTorch 2.10 records it, with the frames of a data-parallel loop. */
const made = `
import pickle, sys
calls = int(sys.argv[1])
frames = [{"name": name, "filename": "/env/lib/python3.11/site-packages/torch/" + file, "line": line} for name, file, line in [
    ("all_reduce", "distributed/distributed_c10d.py", 2940), ("wrapper", "distributed/c10d_logger.py", 83)]]
frames += [{"name": name, "filename": "/job/train.py", "line": line} for name, line in [("step", 61), ("train", 97), ("<module>", 140)]]
def dump(count):
    entries = [{"frames": frames, "record_id": at, "pg_id": 0, "process_group": ("0", "default_pg"), "collective_seq_id": at + 1,
        "p2p_seq_id": 0, "op_id": at + 1, "profiling_name": "nccl:all_reduce", "time_created_ns": 1794796292352000946 + at * 5000000,
        "input_sizes": [[64, 1 + at % 7]], "input_dtypes": ["Float"], "output_sizes": [[64, 1 + at % 7]], "output_dtypes": ["Float"],
        "state": "completed" if at + 1 < calls else "started", "time_discovered_started_ns": None,
        "time_discovered_completed_ns": None, "retired": at + 1 < calls, "timeout_ms": 600000, "is_p2p": False} for at in range(count)]
    return pickle.dumps({"version": "2.10", "pg_config": {"0": {"name": "0", "desc": "default_pg", "ranks": str(list(range(int(sys.argv[2]))))}},
        "pg_status": {}, "entries": entries}, protocol=2)
sys.stdout.buffer.write((lambda one, two: len(one).to_bytes(8, "little") + one + two)(dump(calls), dump(calls - 1)))
`;

if (first === 'one') await one(folder);
else all(Number(first ?? 2000));

async function one(path) {
  const { diagnose } = await loadSource('packages/training/src/index.ts');
  const started = performance.now();
  const before = process.cpuUsage();
  const { ranks, subcause } = await diagnose(path);
  const ms = performance.now() - started;
  const { user, system } = process.cpuUsage(before);
  const { maxRSS } = process.resourceUsage();
  const first = ranks?.first?.rank ?? null;
  console.log(JSON.stringify({ ms, cpu: (user + system) / 1000, megabytes: maxRSS / 1024, subcause, first }));
}

function all(calls) {
  console.log(`Dumps of ${calls} collectives a rank, one rank a collective behind`);
  console.log('ranks   seconds   of a core   ms a rank   peak MB   first rank');
  for (const size of sizes) {
    const job = mkdtempSync(join(tmpdir(), 'grus-ranks-'));
    try {
      const python = process.env.GRUS_PYTHON ?? 'python3';
      const { stdout } = spawnSync(python, ['-c', made, String(calls), String(size)], { maxBuffer: 2 ** 30 });
      const length = Number(stdout.readBigUInt64LE(0));
      const [usual, behind] = [stdout.subarray(8, 8 + length), stdout.subarray(8 + length)];
      const guilty = Math.floor(size / 3);
      for (let rank = 0; rank < size; rank++)
        writeFileSync(join(job, `comm_lib_trace_rank_${rank}`), rank === guilty ? behind : usual);
      const run = spawnSync(process.execPath, [import.meta.filename, 'one', job], { encoding: 'utf8' });
      const { ms, cpu, megabytes, first: named } = JSON.parse(run.stdout || '{}');
      if (ms === undefined) throw new Error(run.stderr);
      const right = named === guilty ? 'right' : `wrong: ${named} for ${guilty}`;
      console.log(
        `${String(size).padStart(5)}   ${(ms / 1000).toFixed(2).padStart(7)}   ${(cpu / 1000).toFixed(2).padStart(9)}   ${(cpu / size).toFixed(1).padStart(9)}   ${megabytes.toFixed(0).padStart(7)}   ${right}`,
      );
    } finally {
      rmSync(job, { recursive: true, force: true });
    }
  }
}
