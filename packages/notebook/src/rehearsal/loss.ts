// What is missing after cells that did not run: names that they would have made or changed. A later cell that needs one of
// them is not judged, because its crash would be a consequence.
import type { Reason } from '@grus/core';
import { parseCell, type Statement } from '@grus/python';
import { type Touched, touchedBy } from './touched.js';

/** The statements of a cell; null where they cannot be known. */
function statementsOf(source: string): readonly Statement[] | null {
  const { body, problem, foreign, magics } = parseCell(source);
  return problem !== null || foreign || magics.some(({ effects }) => effects.names) ? null : body;
}

export class Loss {
  /** The lost names, with the number of the cell that lost them. */
  readonly #names = new Map<string, number>();
  readonly #imports = new Set<string>();
  /** Whatever a cell binds. */
  readonly #bound = new Set<string>();
  readonly #bodies = new Map<string, ReadonlySet<string>>();
  /** A cell whose loss has no bounds. */
  #everything: number | null = null;
  #first: number | null = null;

  copy(): Loss {
    const copy = new Loss();
    for (const [name, cell] of this.#names) copy.#names.set(name, cell);
    for (const name of this.#imports) copy.#imports.add(name);
    for (const name of this.#bound) copy.#bound.add(name);
    for (const [name, body] of this.#bodies) copy.#bodies.set(name, body);
    copy.#everything = this.#everything;
    copy.#first = this.#first;
    return copy;
  }

  /** Why code cannot be judged any more; null where nothing that it needs is lost. */
  needs(source: string): Reason | null {
    if (this.#everything !== null) return { code: 'needs-lost-names', cell: this.#everything, names: [] };
    const statements = statementsOf(source);
    if (statements === null) {
      const [lost] = this.#names;
      return lost ? { code: 'needs-lost-names', cell: lost[1], names: [...this.#names.keys()] } : null;
    }
    const fresh = new Set<string>();
    for (const statement of statements) {
      const touched = touchedBy([statement]);
      const lost = [...this.#closure(touched.reads)].filter(
        (name) => !fresh.has(name) && this.#names.has(name),
      );
      if (lost.length > 0)
        return { code: 'needs-lost-names', cell: this.#names.get(lost[0]!)!, names: lost.slice(0, 5) };
      for (const name of touched.replaces) fresh.add(name);
    }
    return null;
  }

  /** Code has run: what it binds is there. */
  ran(source: string): void {
    const statements = statementsOf(source);
    if (statements === null) return;
    const touched = touchedBy(statements);
    for (const name of touched.replaces) this.#names.delete(name);
    this.#learn(touched);
  }

  /** Code of a cell, from a line on, has not run. */
  lost(source: string, cell: number, fromLine = 1): void {
    this.#first ??= cell;
    const statements = statementsOf(source);
    if (statements === null) {
      this.#everything ??= cell;
      return;
    }
    const touched = touchedBy(
      statements.filter(({ end_lineno: end, lineno }) => (end ?? lineno) >= fromLine),
    );
    this.#learn(touched);
    if (touched.anything) this.#everything ??= cell;
    // A function of the notebook may change what its body names; the function itself stays.
    const inBodies = [...this.#closure(touched.calls)].filter(
      (name) => this.#bound.has(name) && !this.#bodies.has(name),
    );
    const changed = [...touched.changes, ...inBodies].filter((name) => !this.#imports.has(name));
    for (const name of [...touched.binds, ...changed])
      if (!this.#names.has(name)) this.#names.set(name, cell);
  }

  /** A file that is missing may be one that lost code would have written. */
  explains(exception: string): Reason | null {
    return this.#first !== null && exception === 'FileNotFoundError'
      ? { code: 'needs-lost-files', cell: this.#first }
      : null;
  }

  #learn({ binds, imports, bodies }: Touched): void {
    for (const name of binds) this.#bound.add(name);
    for (const name of imports) this.#imports.add(name);
    for (const [name, body] of bodies) this.#bodies.set(name, body);
  }

  /** The names, and what the notebook's own functions among them read. */
  #closure(names: ReadonlySet<string>): Set<string> {
    const all = new Set(names);
    for (const name of all) for (const inner of this.#bodies.get(name) ?? []) all.add(inner);
    return all;
  }
}

/** What of a cell stands before a line, as code of its own; null where that is nothing. */
export function sourceBefore(source: string, line: number): string | null {
  const before = statementsOf(source)?.filter(({ end_lineno: end, lineno }) => (end ?? lineno) < line) ?? [];
  const last = before.at(-1);
  if (last === undefined) return null;
  return source
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .slice(0, last.end_lineno ?? last.lineno)
    .join('\n');
}
