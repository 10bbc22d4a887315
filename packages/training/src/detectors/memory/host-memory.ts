/**
 * # The host ran out of memory
 *
 * ## What
 * A kernel or scheduler record of an out-of-memory kill, a failed host allocation, or a kill after host memory grew.
 *
 * ## Why
 * Data sets loaded whole, copies per worker, cached samples or a leak exceed the memory of the machine or its cgroup.
 *
 * ## Example
 * `oom-kill: constraint=CONSTRAINT_MEMCG`, `OOMKilled`, `DefaultCPUAllocator: can't allocate memory`, `MemoryError`.
 *
 * ## Stays silent
 * On a bare `Killed` or exit code 137 with nothing else: that may be anybody's signal, and is only a hypothesis.
 */
import { type Curve, finiteValues } from '../../features/curve.js';
import { growthOf, memoryCurve, usesDevice } from '../../features/memory.js';
import { grew, memoryGrowth } from '../../features/memory-growth.js';
import type { RunView } from '../../features/view.js';
import { figure } from '../../record/figures.js';
import { defineDetector, type Observation, type RunEvidence } from '../define.js';
import { citeExit, citePoint } from '../shared/cite.js';
import { findLine, fromFailure, fromLine } from '../shared/match.js';
import { failedByItself } from '../shared/standstill.js';

const failed =
  /DefaultCPUAllocator: not enough|\bcan't alloc|^MemoryError|Cannot allocate memory|Unable to allocate [\d.]+ \wi?B|std::bad_alloc|\bbad allocation\b|C error: out of memory|_ArrayMemoryError|ArrowMemoryError|malloc of size \d+ failed|memory allocation of \d+ bytes failed|failed to allocate [\d.]+ \wi?B of (?:pinned|host) memory/;
const killed =
  /oom[-_ ]kill|Out of memory: Kill(ed)? process|OOMKilled|Memory cgroup out of memory|killed by the cgroup out-of-memory|exceeded (job )?memory limit|OUT_OF_MEMORY|some of the step tasks have been OOM Killed|killed due to (?:memory pressure|the node running low on memory)/i;

export const hostMemory = defineDetector({
  id: 'memory/host-memory',
  subcause: 'host_memory',
  role: 'root',
  signal: 'exit',
  needs: ['text', 'exit', 'host_memory'],
  detect: (record, _features, { view }) => {
    const exit = record.exits.find((entry) => entry.reason === 'out_of_memory');
    if (exit)
      return [
        {
          strength: 0.96,
          onset: exit.step ?? record.lastStep,
          evidence: [citeExit(exit), ...pressure(view)],
        },
      ];
    const text = [
      ...fromFailure(view, failed, { strength: 0.94 }),
      ...fromLine(view, killed, { strength: 0.94 }),
    ];
    if (text.length > 0) return text.slice(0, 1);
    const killedRun = unexplainedKill(view);
    return killedRun.length > 0 ? killedRun : growingRun(view);
  },
});

/** Killed by SIGKILL: certain only together with host memory that was nearly full or still growing. */
function unexplainedKill(view: RunView): Observation[] {
  if (failedByItself(view)) return [];
  const exit = view.record.exits.find((entry) => entry.signal === 'SIGKILL' || entry.code === 137);
  const line = findLine(view, /^\s*(\S+: line \d+: +\d+ )?(Killed|已杀死)\b/);
  if (!exit && !line) return [];
  const evidence: RunEvidence[] = exit
    ? [citeExit(exit)]
    : [
        {
          fact: line!.text.trim(),
          file: line!.at.file,
          ...(line!.at.line === undefined ? {} : { line: line!.at.line }),
        },
      ];
  const memory = pressure(view);
  return [
    {
      strength: memory.length > 0 ? 0.88 : 0.5,
      onset: view.record.lastStep,
      evidence: [...evidence, ...memory],
    },
  ];
}

/** Still running or ended otherwise, while memory doubled without ever pausing, or grew by half with every single point of many. */
function growingRun(view: RunView): Observation[] {
  const held = heldMemory(view);
  const growth = held ? growthOf(held) : null;
  if (!held || !growth || view.failures.length > 0) return [];
  if (!grew(growth, memoryGrowth.hostLeak) && !grew(growth, memoryGrowth.unceasingHostLeak)) return [];
  return [
    {
      strength: 0.8,
      onset: held.steps[held.finite[0]!]!,
      evidence: [
        citePoint(
          held,
          held.finite.at(-1)!,
          `host memory grew without pause by ${Math.round(growth.growth * 100)} %`,
        ),
      ],
    },
  ];
}

function heldMemory(view: RunView): Curve | null {
  return (
    view.curve('host_memory') ??
    view.curve('host_memory_percent') ??
    (usesDevice(view) ? null : memoryCurve(view))
  );
}

function pressure(view: RunView): RunEvidence[] {
  const percent = view.curve('host_memory_percent');
  const full = percent ? finiteValues(percent).at(-1) : undefined;
  if (percent && full !== undefined && full >= 90)
    return [citePoint(percent, percent.finite.at(-1)!, `host memory was ${figure(full)} % full`)];
  const held = heldMemory(view);
  const growth = held ? growthOf(held) : null;
  if (held && growth && grew(growth, memoryGrowth.beforeAKill))
    return [
      citePoint(
        held,
        held.finite.at(-1)!,
        `host memory grew steadily by ${Math.round(growth.growth * 100)} %`,
      ),
    ];
  return [];
}
