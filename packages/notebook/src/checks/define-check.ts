// The one factory of checks. A check is one file, named by its id; its leading comment is its documentation page.
import type { Edit, Evidence } from '@grus/core';
import type { Literal, Question, Snapshot } from '@grus/kernel/snapshot';
import type { Node, ParsedCell } from '@grus/python';
import type { EventOf, EventType, Operand } from '../reasoning/events.js';
import type { Fact, Ref } from '../reasoning/facts.js';
import type { Effects } from '../reasoning/state.js';
import type { CellHistory } from '../session/cells.js';

/** What a check claims: the crash at the node of the event, or at `node`. */
export interface Claim {
  /** Exception class as Python prints it: "KeyError". */
  readonly exception: string;
  /** The message as Python would print it; `…` stands for what is not known of it. */
  readonly message: string;
  readonly node?: Node;
  readonly evidence: readonly Evidence[];
  readonly explanation: string;
  readonly remedy: string;
  /** The number of a cell that was not run or failed and that must run first. */
  readonly needs?: number;
  readonly edit?: Edit;
}

/** A question for the kernel without its id, which is derived from its contents. */
export type Ask = Question extends infer One ? (One extends Question ? Omit<One, 'id'> : never) : never;

export interface CheckContext {
  readonly look: (ref: Ref) => Fact;
  literal(ref: Ref): Literal | undefined;
  /** The object that a name certainly means at this point. */
  nameRef(name: string): Ref | undefined;
  /** Source text of a node, shortened for a sentence. */
  text(node: Node): string;
  /** Where the facts of an operand were read: "kernel: df" or "line 3". */
  source(operand: Operand): string;
  /** Installed version of a top-level module as numbers ([2, 1, 0]), or null when it is not known. */
  version(module: string): readonly number[] | null;
  /** The kernel's answer; undefined until it was asked. The question is sent in the next round trip. */
  ask(question: Ask): NonNullable<Snapshot['answers']>[string] | undefined;
  readonly snapshot: Snapshot;
  /** The target cell, and what happened to the cells of the notebook. */
  readonly cell: ParsedCell;
  readonly cells: readonly CellHistory[];
  /** What the cell may have done so far to files, the current directory, modules and names. */
  readonly effects: Readonly<Effects>;
  report(claim: Claim): void;
}

export type CheckRung = 'names' | 'contracts';

export interface Check {
  /** "family/bad-pattern"; the file is `checks/<family>/<bad-pattern>.ts`. */
  readonly id: string;
  /** What goes wrong, as the heading of the page. */
  readonly title: string;
  readonly rung: CheckRung;
  /** Libraries whose objects it is about; empty for Python itself. */
  readonly libraries: readonly string[];
  /** Knows only that something is refused: where another check sees more at the same place, that one speaks. */
  readonly general?: boolean;
  readonly on: { readonly [Type in EventType]?: (event: EventOf<Type>, context: CheckContext) => void };
}

export function defineCheck(check: Check): Check {
  return check;
}
