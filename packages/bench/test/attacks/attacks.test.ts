// A part of the attacks and of the healthy cells, of every kind, in every place and as every user that kernels can be started
// as here, on as few kernels as will do. `npm run bench -- attacks` runs all of them.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type Cell, readCells } from '../../src/attacks/cells.js';
import { possibleUsers, type UserKind, userKinds } from '../../src/attacks/ground.js';
import { isFalseAlarm, isFalseProof, runHealthy } from '../../src/attacks/healthy.js';
import { type Place, places, runAttacks } from '../../src/attacks/run.js';

const python = process.env['GRUS_PYTHON'] ?? 'python3';
const attacks = readCells('cells');
const healthy = readCells('healthy');
const kinds = [...new Set(attacks.map(({ kind }) => kind))];
/** How far apart in their file the attacks are that are drawn one after the other. */
const step = 7;
const minutes = 60_000;
/** Cells of open and of temporary files whose answer is known under every strength. */
const told = [
  'the same file',
  'the variable of the temporary folder',
  'a mistake after a write to a file left open',
];

describe('the cells', () => {
  it('are many, and of every kind that the policy names', () => {
    expect(attacks.length).toBeGreaterThanOrEqual(250);
    expect(healthy.length).toBeGreaterThanOrEqual(150);
    const policy = fileURLToPath(new URL('../../../kernel/agent/isolation/policy.py', import.meta.url));
    const show = 'import json, runpy, sys; print(json.dumps(list(runpy.run_path(sys.argv[1])["POLICY"])))';
    const named = JSON.parse(execFileSync(python, ['-c', show, policy]).toString()) as string[];
    expect([...kinds].sort()).toEqual(named.sort());
  });
});

/** In each place and as each user another attack of every kind. */
function isDrawn(attack: Cell, user: UserKind, place: Place): boolean {
  const ofKind = attacks.filter(({ kind }) => kind === attack.kind);
  const draw = userKinds.indexOf(user) * places.length + places.indexOf(place);
  return ofKind.indexOf(attack) === (draw * step) % ofKind.length;
}

it.each(possibleUsers())(
  'no attack escapes, of every kind and in every place, as %s',
  async (user) => {
    const { tried, escapes } = await runAttacks({ python, users: [user], attacks, among: isDrawn });
    expect(escapes).toEqual([]);
    expect(tried).toHaveLength(kinds.length * places.length);
  },
  5 * minutes,
);

it(
  'claims no crash and no finish that does not come',
  async () => {
    const some = healthy.filter((_, index) => index % 16 === 0);
    const judged = await runHealthy({ python, isolations: ['namespaces'], cells: some });
    expect(judged.filter((one) => isFalseAlarm(one) || isFalseProof(one))).toEqual([]);
    expect(judged.filter(({ claim }) => claim !== 'unknown').length).toBeGreaterThan(2);
  },
  5 * minutes,
);

it.each(['landlock', 'audit'] as const)(
  'claims nothing of open and of temporary files that %s changes',
  async (isolation) => {
    const cells = healthy.filter(
      ({ kind, name }, index) => kind === 'temporary' && (index % 8 === 0 || told.includes(name)),
    );
    const judged = await runHealthy({ python, isolations: [isolation], cells });
    expect(judged.filter((one) => isFalseAlarm(one) || isFalseProof(one))).toEqual([]);
    const said = new Map(judged.map(({ cell, claim }) => [cell, claim]));
    expect(said.get('the same file')).toBe('fine');
    expect(said.get('the variable of the temporary folder')).toBe('fine');
    expect(said.get('a mistake after a write to a file left open')).toBe(
      isolation === 'landlock' ? 'crash' : 'unknown',
    );
  },
  5 * minutes,
);
