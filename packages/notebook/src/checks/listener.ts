// Hands each event of the walk to the checks that listen to it and turns their claims into findings.
import type { Evidence, Finding, Place, Reason } from '@grus/core';
import type { Snapshot } from '@grus/kernel/snapshot';
import { type Node, type ParsedCell, placeOf } from '@grus/python';
import type { Event, EventType, Operand } from '../reasoning/events.js';
import type { Interpreter } from '../reasoning/interpreter/interpreter.js';
import { lookUp } from '../reasoning/interpreter/scopes.js';
import type { CellHistory } from '../session/cells.js';
import type { Questions } from './asking.js';
import type { Check, CheckContext, CheckRung, Claim } from './define-check.js';
import { versionOf } from './versions.js';
import { signs } from './wording.js';

type Handler = (event: Event, context: CheckContext) => void;
type Handlers = ReadonlyMap<EventType, readonly { readonly check: Check; readonly handle: Handler }[]>;
const enough = 10;

/** The same checks listen to cell after cell. */
const known = new WeakMap<readonly Check[], Handlers>();

function handlersOf(checks: readonly Check[]): Handlers {
  const made = known.get(checks);
  if (made) return made;
  const handlers = new Map<EventType, { check: Check; handle: Handler }[]>();
  for (const check of checks)
    for (const [type, handle] of Object.entries(check.on)) {
      const list = handlers.get(type as EventType) ?? [];
      list.push({ check, handle: handle as Handler });
      handlers.set(type as EventType, list);
    }
  known.set(checks, handlers);
  return handlers;
}

/** What the checks are asked about. */
export interface Subject {
  readonly cell: ParsedCell;
  readonly cells: readonly CellHistory[];
  readonly snapshot: Snapshot;
}

export class Listener {
  readonly findings: (Finding & { readonly rung: CheckRung })[] = [];
  private readonly handlers: Handlers;
  private readonly failed = new Set<string>();

  constructor(
    checks: readonly Check[],
    private readonly subject: Subject,
    private readonly questions: Questions,
    private readonly problems: Reason[],
  ) {
    this.handlers = handlersOf(checks);
  }

  hear(event: Event, interpreter: Interpreter): void {
    const handlers = this.handlers.get(event.type);
    if (!handlers || this.findings.length >= enough) return;
    let speaking: Check | undefined;
    const context = this.contextFor(event, interpreter, () => speaking!);
    for (const { check, handle } of handlers) {
      if (this.failed.has(check.id)) continue;
      speaking = check;
      try {
        handle(event, context);
      } catch (error) {
        this.failed.add(check.id);
        const message = error instanceof Error ? error.message : String(error);
        this.problems.push({ code: 'check-failed', check: check.id, error: message });
      }
    }
  }

  /** What the checks are told with an event; `speaking` is the one that is being told. */
  private contextFor(event: Event, interpreter: Interpreter, speaking: () => Check): CheckContext {
    return {
      look: interpreter.look,
      literal: (ref) => interpreter.literal(ref),
      nameRef: (name) => {
        const { binding } = lookUp(interpreter, name);
        return binding.status === 'bound' ? binding.ref : undefined;
      },
      text: (node) => this.textOf(node, interpreter),
      source: (operand) => operand.fact.source ?? this.placeText(operand, interpreter),
      version: (module) => versionOf(this.subject.snapshot, module),
      ask: (question) => this.questions.ask(question),
      snapshot: this.subject.snapshot,
      cell: this.subject.cell,
      cells: this.subject.cells,
      effects: interpreter.state.effects,
      report: (claim) => this.add(speaking(), claim, claim.node ?? event.node, interpreter),
    };
  }

  private add(check: Check, claim: Claim, node: Node, interpreter: Interpreter): void {
    if (interpreter.handlers.mayCatch(claim.exception)) return;
    const surface = interpreter.surface(node);
    const place = surfacePlace(surface);
    // One place fails once, whichever check saw it first.
    if (this.findings.some((finding) => samePlace(finding.place, place))) return;
    const inner = interpreter.activations.at(-1);
    const evidence: Evidence[] = [...claim.evidence];
    if (inner)
      evidence.push({
        fact: `the call reaches line ${placeOf(node).line} of ${inner.function.home ?? 'this cell'}`,
        source: `function ${inner.function.name}`,
      });
    this.findings.push({
      check: check.id,
      rung: check.rung,
      exception: { type: claim.exception, message: claim.message },
      place,
      confidence: 1,
      evidence,
      explanation: claim.explanation,
      remedy: claim.remedy,
      ...(claim.needs !== undefined && { needs: claim.needs }),
      ...(claim.edit && !inner && { edit: claim.edit }),
    });
  }

  private textOf(node: Node, interpreter: Interpreter): string {
    const inner = interpreter.activations.at(-1);
    const text = inner?.function.home === undefined ? this.subject.cell.text(node) : sourceText(node);
    const line = text.replace(/\s+/g, ' ').trim();
    return line.length > 60 ? `${line.slice(0, 57)}…` : line;
  }

  private placeText(operand: Operand, interpreter: Interpreter): string {
    const inner = interpreter.activations.at(-1);
    const line = `line ${placeOf(operand.node).line}`;
    return inner ? `${inner.function.home ?? 'this cell'}, ${inner.function.name}, ${line}` : line;
  }
}

/** Where Python reports the failure: an attribute or method call in a broken chain counts at the attribute's own line. */
function surfacePlace(node: Node): Place {
  const place = placeOf(node);
  const attribute =
    node.nodeType === 'Call' && node.func.nodeType === 'Attribute'
      ? node.func
      : node.nodeType === 'Attribute'
        ? node
        : null;
  if (!attribute) return place;
  const end = placeOf(attribute);
  return end.endLine === end.line
    ? place
    : { ...place, line: end.endLine, column: Math.max(0, end.endColumn - attribute.attr.length) };
}

function samePlace(a: Place, b: Place): boolean {
  return a.line === b.line && a.column === b.column && a.endLine === b.endLine && a.endColumn === b.endColumn;
}

/** A name for code that is not in the target cell. */
function sourceText(node: Node): string {
  if (node.nodeType === 'Name') return node.id;
  if (node.nodeType === 'Attribute') return `${sourceText(node.value)}.${node.attr}`;
  if (node.nodeType === 'Call') return `${sourceText(node.func)}(…)`;
  if (node.nodeType === 'Subscript') return `${sourceText(node.value)}[…]`;
  if (node.nodeType === 'BinOp')
    return `${sourceText(node.left)} ${signs[node.op.nodeType] ?? '…'} ${sourceText(node.right)}`;
  if (node.nodeType === 'Constant') return typeof node.value === 'number' ? String(node.value) : '…';
  return 'an expression';
}
