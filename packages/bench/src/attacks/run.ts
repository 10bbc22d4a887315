// Hostile cells in copies of a kernel: under each strength of isolation and in the copies that answer questions, as root and
// as an ordinary user. An attack fails when nothing of what the user has is changed, nothing outlives the copy, nobody
// outside was reached, and the answer comes.
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { textOf } from '@grus/core';
import { dryRun, inquire, type Step, strengths } from '@grus/kernel';
import { type Cell, readCells } from './cells.js';
import { Ground, possibleUsers, type State, type UserKind } from './ground.js';

/** The strengths of dry runs, and the copies that the contracts ask. */
export const places = [...strengths, 'questions'] as const;
export type Place = (typeof places)[number];

export interface Escape {
  readonly user: UserKind;
  readonly place: Place;
  readonly kind: string;
  readonly attack: string;
  /** What was changed, reached or left behind. */
  readonly what: readonly string[];
}

export interface Tried {
  readonly kind: string;
  readonly place: Place;
  readonly user: UserKind;
  readonly tries: number;
  readonly escapes: number;
}

export interface AttackOptions {
  readonly python: string;
  readonly users?: readonly UserKind[];
  readonly places?: readonly Place[];
  readonly attacks?: readonly Cell[];
  /** Which of them are tried in a place as a user. Default: all. */
  readonly among?: (attack: Cell, user: UserKind, place: Place) => boolean;
  readonly onProgress?: (text: string) => void;
}

const budgetMs = 1_500;
const patienceMs = 15_000;

export async function runAttacks(options: AttackOptions): Promise<{ tried: Tried[]; escapes: Escape[] }> {
  const attacks = options.attacks ?? readCells('cells');
  const tried: Tried[] = [];
  const escapes: Escape[] = [];
  for (const user of options.users ?? possibleUsers()) {
    const arena = new Arena(options.python, user);
    try {
      for (const place of options.places ?? places) {
        const here = attacks.filter((attack) => options.among?.(attack, user, place) ?? true);
        const found = await tryAll(here, arena, place, options);
        escapes.push(...found);
        for (const kind of new Set(here.map((attack) => attack.kind)))
          tried.push({
            kind,
            place,
            user,
            tries: here.filter((attack) => attack.kind === kind).length,
            escapes: found.filter((one) => one.kind === kind).length,
          });
      }
    } finally {
      await arena.close();
    }
  }
  return { tried, escapes };
}

/** One ground for all places, and a new one after an attack has escaped. */
class Arena {
  private made: { readonly ground: Ground; readonly before: State } | undefined;

  constructor(
    private readonly python: string,
    readonly user: UserKind,
  ) {}

  async enter() {
    if (this.made === undefined) {
      const ground = await Ground.prepare(this.python, this.user);
      this.made = { ground, before: await settled(ground) };
    }
    return this.made;
  }

  async close() {
    await this.made?.ground.close();
    this.made = undefined;
  }
}

async function tryAll(attacks: readonly Cell[], arena: Arena, place: Place, options: AttackOptions) {
  const escapes: Escape[] = [];
  for (const [index, attack] of attacks.entries()) {
    options.onProgress?.(`${arena.user}, ${place}: ${index + 1} of ${attacks.length} (${attack.name})`);
    const { ground, before } = await arena.enter();
    const what = await attempt(ground, attack.cell, place, before);
    if (what.length > 0) {
      escapes.push({ user: arena.user, place, kind: attack.kind, attack: attack.name, what });
      await arena.close();
    }
  }
  return escapes;
}

/** The state once it stays the same. */
async function settled(ground: Ground): Promise<State> {
  await dryRun(ground.kernel, ['pass'], { budgetMs });
  let last = await ground.state();
  for (let round = 0; round < 10; round += 1) {
    const next = await ground.state();
    if (isDeepStrictEqual(last, next)) return next;
    last = next;
  }
  return last;
}

/** What the attack got at; empty when it failed. */
async function attempt(ground: Ground, cell: string, place: Place, before: State): Promise<string[]> {
  try {
    const said = place === 'questions' ? await asked(ground, cell) : await dried(ground, cell, place);
    if (said !== null) return [said];
    const started = performance.now();
    while (true) {
      const after = await ground.state();
      const changed = Object.keys(before).filter((key) => !isDeepStrictEqual(before[key], after[key]));
      if (changed.length === 0 || performance.now() - started > patienceMs)
        return changed.map((key) => `${key}: ${differences(before[key], after[key])}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  } catch (error) {
    return [`no answer: ${error instanceof Error ? error.message : String(error)}`];
  }
}

async function dried(ground: Ground, cell: string, isolation: Exclude<Place, 'questions'>) {
  const result = await dryRun(ground.kernel, [cell], { budgetMs, isolation });
  if (result.status !== 'ok') return `refused: ${textOf(result.reason)}`;
  const [told] = result.cells;
  return told?.status === 'raised' && told.type === 'Escaped' ? told.message : null;
}

async function asked(ground: Ground, cell: string): Promise<string | null> {
  const steps: Step[] = [
    { id: 0, op: 'live', path: 'attacker', real: true },
    { id: 1, op: 'literal', value: cell },
    { id: 2, op: 'method', receiver: 0, name: 'run', args: [1], real: true },
  ];
  const answers = await inquire(
    ground.kernel,
    { steps, wanted: [2] },
    { check: randomUUID(), budgetMs: 1_000, cpuMs: 500 },
  );
  const answer = answers.get(2);
  return answer?.status === 'raised' && answer.type === 'Escaped' ? answer.message : null;
}

function differences(before: unknown, after: unknown): string {
  if (typeof before !== 'object' || before === null || typeof after !== 'object' || after === null)
    return `${JSON.stringify(before)} became ${JSON.stringify(after)}`.slice(0, 300);
  const one = before as Record<string, unknown>;
  const other = after as Record<string, unknown>;
  return [...new Set([...Object.keys(one), ...Object.keys(other)])]
    .filter((key) => !isDeepStrictEqual(one[key], other[key]))
    .map((key) => `${key}: ${JSON.stringify(one[key])} became ${JSON.stringify(other[key])}`)
    .join('; ')
    .slice(0, 300);
}
