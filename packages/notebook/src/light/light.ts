// Which cells of a batch need not be judged at all, so that a light cell behind a light cell waits for nothing. What is bound is
// followed from cell to cell, starting with the names of the kernel.
import {
  bindsUnseen,
  type FunctionNode,
  type NodeOf,
  type ParsedCell,
  parseCell,
  type Statement,
  walk,
} from '@grus/python';
import { builtinsRead, type Kind, kindOf } from './values.js';

const compiledOnly: ReadonlySet<string> = new Set([
  'Global',
  'Nonlocal',
  'Break',
  'Continue',
  'Await',
  'Yield',
  'YieldFrom',
  'NamedExpr',
  'ClassDef',
  'Starred',
  'JoinedStr',
  'Match',
  'TryStar',
]);

const reaching: ReadonlySet<string> = new Set([...bindsUnseen, 'delattr']);

export class LightCells {
  #bound: Map<string, Kind>;
  /** What is bound is not known any more. */
  #isLost = false;

  /** `namespace`: the names that the kernel has before the first cell. */
  constructor(namespace: readonly string[]) {
    this.#bound = new Map(namespace.map((name) => [name, 'any']));
  }

  /** Whether no rung could find anything in the cell, given that all cells before it run. */
  passes(source: string): boolean {
    const cell = parseCell(source);
    if (this.#isLost || cell.problem || cell.foreign || cell.magics.length > 0) return false;
    const before = new Map(this.#bound);
    if (cell.body.every((statement) => this.#isLight(statement))) return true;
    this.#bound = before;
    return false;
  }

  /** A cell that is judged in earnest has run: names may be gone, and values of another kind. */
  follow(source: string): void {
    const cell = parseCell(source);
    const names = [...this.#bound.keys(), ...boundBy(cell)];
    this.#isLost ||= cell.problem !== null || cell.foreign || cell.magics.length > 0 || reachesNames(cell);
    this.#bound = new Map(names.map((name) => [name, 'any']));
  }

  #isLight(statement: Statement): boolean {
    switch (statement.nodeType) {
      case 'Pass':
        return true;
      case 'Expr':
        return kindOf(statement.value, this.#bound) !== null;
      case 'Assign': {
        const kind = kindOf(statement.value, this.#bound);
        const names = statement.targets.flatMap((target) => (target.nodeType === 'Name' ? [target.id] : []));
        if (kind === null || names.length < statement.targets.length) return false;
        for (const name of names) this.#bound.set(name, kind);
        return true;
      }
      case 'FunctionDef':
        if (!isPlainFunction(statement)) return false;
        this.#bound.set(statement.name, 'any');
        return true;
      default:
        return false;
    }
  }
}

/** One whose definition runs nothing and that certainly compiles. */
function isPlainFunction({ decorator_list: decorators, args, returns, body }: FunctionNode): boolean {
  const { posonlyargs, args: plain, vararg, kwonlyargs, kwarg, defaults, kw_defaults: keyed } = args;
  if (decorators.length > 0 || returns || vararg || kwarg || posonlyargs.length + kwonlyargs.length > 0)
    return false;
  if (plain.some(({ annotation }) => annotation) || keyed.length > 0) return false;
  if (defaults.some(({ nodeType }) => nodeType !== 'Constant')) return false;
  if (new Set(plain.map(({ arg }) => arg)).size < plain.length) return false;
  return body.every((statement) => [...walk(statement)].every(({ nodeType }) => !compiledOnly.has(nodeType)));
}

/** Names that the statements of the cell bind whenever it runs through. */
function boundBy({ body }: ParsedCell): string[] {
  return body.flatMap((statement) => {
    switch (statement.nodeType) {
      case 'Assign':
        return statement.targets.flatMap((target) => (target.nodeType === 'Name' ? [target.id] : []));
      case 'FunctionDef':
      case 'ClassDef':
        return [statement.name];
      default:
        return [];
    }
  });
}

/** A builtin that is read here, bound to something else. */
function isRebound({ id, ctx }: NodeOf<'Name'>): boolean {
  return builtinsRead.has(id) && ctx.nodeType !== 'Load';
}

function reachesNames({ module }: ParsedCell): boolean {
  for (const node of walk(module)) {
    if (node.nodeType === 'Delete') return true;
    if (node.nodeType === 'Name' && (reaching.has(node.id) || isRebound(node))) return true;
    if (node.nodeType === 'Alias' && (node.name === '*' || builtinsRead.has(node.asname ?? node.name)))
      return true;
  }
  return false;
}
