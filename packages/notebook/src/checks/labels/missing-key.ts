/**
 * # A key that the dict does not have
 *
 * ## What
 * The cell reads or deletes `mapping[key]` and the live dict has no such key.
 *
 * ## Why it crashes
 * A plain dict raises `KeyError` for a missing key.
 *
 * ## Example
 * ```python state
 * config = {"lr": 0.1}
 * ```
 * ```python cell
 * config["epochs"]
 * ```
 *
 * ## Fix
 * Use a key that exists, or `mapping.get(key, default)`.
 * ```python fixed
 * config.get("epochs", 10)
 * ```
 *
 * ## When it stays silent
 * For dicts that make up missing keys (`defaultdict`, `Counter`), when not all keys are known, and when the cell may have
 * added the key.
 */
import { nearest } from '@grus/core';
import type { Literal } from '@grus/kernel/snapshot';
import type { Operand } from '../../reasoning/events.js';
import { keyOf, listed, pythonRepr } from '../../reasoning/literals.js';
import { type CheckContext, defineCheck } from '../define-check.js';
import { labelEdit } from '../near-edit.js';

export default defineCheck({
  id: 'labels/missing-key',
  title: 'A key that the dict does not have',
  rung: 'contracts',
  libraries: [],
  on: {
    loadItem: (event, context) => lookUp(event.container, event.key, context.text(event.node), context),
    deleteItem: (event, context) =>
      lookUp(event.container, event.key, `del ${context.text(event.node)}`, context),
    call(event, context) {
      if (
        event.method !== 'pop' ||
        event.receiver?.fact.kind !== 'dict' ||
        event.args.positional.length !== 1
      )
        return;
      lookUp(event.receiver, event.args.positional[0]!, context.text(event.node), context);
    },
  },
});

function lookUp(container: Operand, key: Operand, action: string, context: CheckContext): void {
  const { fact } = container;
  const wanted = context.literal(key.ref);
  if (fact.kind !== 'dict' || wanted === undefined || isSpecial(wanted)) return;
  const has = fact.entries?.has(keyOf(wanted)) ?? false;
  if (has || !isKnown(fact.complete, fact.path, wanted, context)) return;
  const keys = [...(fact.entries?.values() ?? [])].map((entry) => entry.key);
  const near =
    typeof wanted === 'string'
      ? nearest(
          wanted,
          keys.filter((name) => typeof name === 'string'),
        )
      : [];
  const owner = context.text(container.node);
  context.report({
    exception: 'KeyError',
    message: pythonRepr(wanted),
    evidence: [
      {
        fact: keys.length === 0 ? `${owner} is empty` : `${owner} has the keys ${listed(keys)}`,
        source: context.source(container),
      },
    ],
    explanation: `\`${action}\` raises KeyError: ${owner} has no key ${pythonRepr(wanted)}.`,
    remedy:
      near.length > 0
        ? `Did you mean ${near.map((name) => pythonRepr(name)).join(' or ')}?`
        : `Use one of its keys, or \`.get(${pythonRepr(wanted)})\`.`,
    ...labelEdit(context, key.node, wanted, near),
  });
}

function isSpecial(literal: Literal): boolean {
  return typeof literal === 'object' && literal !== null && !Array.isArray(literal);
}

/** All keys are listed, or the kernel was asked about this one. */
function isKnown(
  complete: boolean | undefined,
  path: string | undefined,
  wanted: Literal,
  context: CheckContext,
): boolean {
  if (complete) return true;
  if (path === undefined || complete === undefined) return false;
  return context.ask({ ask: 'has_key', path, value: wanted })?.status === 'no';
}
