/**
 * # An attribute that the object does not have
 *
 * ## What
 * The cell reads `object.name` and static lookup on the live object finds no such name.
 *
 * ## Why it crashes
 * Python raises `AttributeError` when neither the object, its class nor its bases hold the name.
 *
 * ## Example
 * ```python state
 * scores = [3, 1, 2]
 * ```
 * ```python cell
 * scores.add(4)
 * ```
 *
 * ## Fix
 * Use a name that exists. The message lists names that look like yours. A method that a library removed has a successor.
 * ```python fixed
 * scores.append(4)
 * ```
 *
 * ## When it stays silent
 * When the class may invent attributes (`__getattr__`), when the cell, a function it calls or a property, descriptor or
 * operator of the class may have set the attribute, when the access is guarded (`hasattr`, `try`), and for modules that
 * may have been loaded again or may have been given the name by an import or by their own functions, except for names
 * that a library is known to have removed.
 */
import { nearest } from '@grus/core';
import { type ParsedCell, walk } from '@grus/python';
import { refusedAccessor } from '../../libraries/pandas/accessors.js';
import type { EventOf, Operand } from '../../reasoning/events.js';
import { allLibraries, someManners } from '../../reasoning/registry.js';
import { type CheckContext, defineCheck } from '../define-check.js';
import { mayHaveGained, mayHaveSet } from '../names/import-system.js';
import { shapeText, typeName } from '../wording.js';
import { successorOf } from './removed.js';

export default defineCheck({
  id: 'attributes/missing-attribute',
  title: 'An attribute that the object does not have',
  rung: 'contracts',
  libraries: [],
  on: {
    loadAttribute(event, context) {
      if (event.receiver.fact.kind === 'none') return;
      if (event.receiver.fact.kind === 'series') {
        const accessor = refusedAccessor(event.receiver.fact, event.name);
        if (accessor) return reportAccessor(event, accessor, event.receiver.fact.dtype!, context);
      }
      if (event.found !== 'absent' && !(event.found === 'unknown' && isAbsentByAnswer(event, context)))
        return;
      const { receiver, name } = event;
      if (receiver.fact.kind === 'dataframe' && receiver.fact.columns === undefined) return;
      const owner = context.text(receiver.node);
      const near = nearest(name, event.siblings);
      const successor = successorOf(receiver.fact, name);
      const isModule = receiver.fact.kind === 'module';
      if (receiver.fact.kind === 'module' && !successor && mayHaveGained(receiver.fact.name, name, context))
        return;
      if (mayHaveBeenAdded(receiver.fact.class, name, context)) return;
      const kind = typeName(receiver.fact);
      const inside = elementAdvice(receiver, owner, context);
      const advice = firstAdvice(owner, receiver, name, context);
      const remedy = successor
        ? `Use ${successor} instead.`
        : (inside ??
          advice ??
          (near.length > 0
            ? `Did you mean ${near.map((word) => `\`${word}\``).join(' or ')}?`
            : `Use a name that ${isModule ? 'the module' : `a ${kind}`} has.`));
      context.report({
        exception: 'AttributeError',
        message: isModule
          ? `module '${receiver.fact.kind === 'module' ? receiver.fact.name : owner}' has no attribute '${name}'${successor ? '…' : ''}`
          : `${receiver.fact.kind === 'class' ? `type object '${receiver.fact.name.split('.').at(-1)}'` : `'${kind}' object`} has no attribute '${name}'`,
        evidence: [
          {
            fact: `${owner} is ${isModule ? 'a module' : `a ${kind}`} without the attribute '${name}'`,
            source: context.source(receiver),
          },
        ],
        explanation: `\`${owner}.${name}\` raises AttributeError: ${owner} is ${isModule ? 'a module' : `a ${kind}`} and has no attribute '${name}'.`,
        remedy,
      });
    },
  },
});

function reportAccessor(
  { receiver, name }: EventOf<'loadAttribute'>,
  { message, remedy }: { readonly message: string; readonly remedy: string },
  dtype: string,
  context: CheckContext,
): void {
  const owner = context.text(receiver.node);
  context.report({
    exception: 'AttributeError',
    message,
    evidence: [{ fact: `${owner} is of ${dtype}`, source: context.source(receiver) }],
    explanation: `\`${owner}.${name}\` raises AttributeError: ${owner} is of ${dtype}, and \`.${name}\` is not for that type.`,
    remedy,
  });
}

/** What the first snapshot does not hold is asked for: names of modules inside functions, of classes that look dynamic. */
function isAbsentByAnswer(event: EventOf<'loadAttribute'>, context: CheckContext): boolean {
  const { fact } = event.receiver;
  const isRecorded = context.snapshot.python.version.length === 0;
  if (isRecorded || event.name.startsWith('_') || mayHaveSet(event.name, context.cell)) return false;
  if (fact.kind === 'module' && /^[\w.]+$/.test(fact.name) && !context.effects.modules) {
    // A module that is not found now has been made by the cell itself, or the import raised.
    const module = context.ask({ ask: 'import', path: fact.name, value: null });
    const member = context.ask({ ask: 'import', path: fact.name, value: event.name });
    return module?.status === 'yes' && member?.status === 'no';
  }
  const isWording = someManners(({ inventingNothing }) => inventingNothing?.test(fact.class ?? ''));
  if (isWording && !context.effects.classes && !registersAccessor(event.name, context.cell))
    return context.ask({ ask: 'class_attribute', path: fact.class!, value: event.name })?.status === 'no';
  return false;
}

/** pandas invites others to add to its classes: accessors by name, tqdm's progress methods, plain functions. */
function mayHaveBeenAdded(className: string | undefined, name: string, context: CheckContext): boolean {
  if (!className?.startsWith('pandas.')) return false;
  if (context.effects.classes || name.startsWith('_') || name.startsWith('progress_')) return true;
  if (mayHaveSet(name, context.cell) || registersAccessor(name, context.cell)) return true;
  const isRecorded = context.snapshot.python.version.length === 0;
  if (isRecorded) return false;
  return context.ask({ ask: 'class_attribute', path: className, value: name })?.status !== 'no';
}

function registersAccessor(name: string, cell: ParsedCell): boolean {
  for (const node of walk(cell.module)) if (node.nodeType === 'Constant' && node.value === name) return true;
  return false;
}

function firstAdvice(
  owner: string,
  { fact }: Operand,
  name: string,
  context: CheckContext,
): string | undefined {
  for (const { adviceOnMissing } of allLibraries()) {
    const advice = adviceOnMissing?.(owner, fact, name, (ref) => context.literal(ref));
    if (advice !== undefined) return advice;
  }
  return undefined;
}

/** A row of a grid of axes was asked for what a single axis has. */
function elementAdvice({ fact }: Operand, owner: string, context: CheckContext): string | null {
  if (fact.kind !== 'ndarray' || !fact.shape || fact.shape.length === 0 || fact.element === undefined)
    return null;
  if (context.look(fact.element).kind === 'unknown') return null;
  const index = `[${fact.shape.map(() => '0').join(', ')}]`;
  return `\`${owner}\` is an array of the shape ${shapeText(fact.shape)}. Take one of its elements first, such as \`${owner}${index}\`, or go through \`${owner}.flat\`.`;
}
