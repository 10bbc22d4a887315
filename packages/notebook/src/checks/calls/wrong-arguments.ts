/**
 * # Arguments that the callable does not take
 *
 * ## What
 * A call passes too many positional arguments, a keyword that does not exist, the same argument twice, or leaves out a
 * required one. The call is compared with the real signature of the function or class, both for libraries and for your own code.
 *
 * ## Why it crashes
 * Python raises `TypeError` before the body runs.
 *
 * ## Example
 * ```python state
 * def area(width, height):
 *     return width * height
 * ```
 * ```python cell
 * area(3)
 * ```
 *
 * ## Fix
 * Pass what the signature asks for. Options that became keyword-only need their name.
 * ```python fixed
 * area(3, 4)
 * ```
 *
 * ## When it stays silent
 * When the signature cannot be read, when `*args` or `**kwargs` of unknown contents are passed, and for decorated functions.
 */
import { nearest } from '@grus/core';
import type { Parameter } from '@grus/kernel/snapshot';
import type { EventOf } from '../../reasoning/events.js';
import { type CheckContext, defineCheck } from '../define-check.js';
import { knownSignature } from './known-signatures.js';
import { type Signature, signatureOf } from './signature.js';

export default defineCheck({
  id: 'calls/wrong-arguments',
  title: 'Arguments that the callable does not take',
  rung: 'contracts',
  libraries: [],
  on: {
    call(event, context) {
      if (event.args.duplicate !== undefined) {
        reportDuplicate(event, context, event.args.duplicate);
        return;
      }
      if (!event.args.complete) return;
      const signature = signatureOf(event.callee.fact, context.look) ?? knownSignature(event, context);
      if (!signature) return;
      // A function that is taken off something else is called by its full name, of which only the end is known.
      const isTaken = event.callee.fact.kind === 'function' && event.callee.node.nodeType === 'Attribute';
      const name = isTaken ? `…${signature.name}` : signature.name;
      const problem = signature.lacksSelf
        ? withoutSelf(name, event.args.positional.length + 1)
        : bind(event, { ...signature, name });
      if (!problem) return;
      context.report({
        exception: 'TypeError',
        message: problem.message,
        evidence: [
          { fact: `${name}(${describe(signature.parameters)})`, source: context.source(event.callee) },
        ],
        explanation: `\`${context.text(event.node)}\` raises TypeError: ${problem.message}.`,
        remedy: problem.remedy,
      });
    },
  },
});

/** Python refuses it before the callable is looked at. */
function reportDuplicate(event: EventOf<'call'>, context: CheckContext, keyword: string): void {
  const name = context.text(event.node.func);
  const message = `${name}() got multiple values for keyword argument '${keyword}'`;
  context.report({
    exception: 'TypeError',
    message,
    evidence: [
      {
        fact: `'${keyword}' is given by name and in the unpacked options`,
        source: context.source(event.callee),
      },
    ],
    explanation: `\`${context.text(event.node)}\` raises TypeError: ${message}.`,
    remedy: `Pass '${keyword}' once: leave it out of the options, or put it into them as a default.`,
  });
}

interface Problem {
  readonly message: string;
  readonly remedy: string;
}

/** The object itself is the first argument of a method. */
function withoutSelf(name: string, given: number): Problem {
  return {
    message: `${name}() takes 0 positional arguments but ${given} ${given === 1 ? 'was' : 'were'} given`,
    remedy: 'Give the method `self` as its first parameter, or make it a `@staticmethod`.',
  };
}

function bind(event: EventOf<'call'>, { parameters, name, bound }: Signature): Problem | null {
  const positional = parameters.filter(
    (parameter) => parameter.kind === 'positional_only' || parameter.kind === 'positional_or_keyword',
  );
  const takesMore = parameters.some((parameter) => parameter.kind === 'var_positional');
  const takesAny = parameters.some((parameter) => parameter.kind === 'var_keyword');
  const given = event.args.positional.length;
  const byName = new Set(
    positional.filter((parameter) => parameter.kind !== 'positional_only').map((parameter) => parameter.name),
  );
  const keywordOnly = new Set(
    parameters.filter((parameter) => parameter.kind === 'keyword_only').map((parameter) => parameter.name),
  );
  for (const keyword of event.args.keywords.keys()) {
    const position = positional.findIndex((parameter) => parameter.name === keyword);
    if (byName.has(keyword) && position < given)
      return {
        message: `${name}() got multiple values for argument '${keyword}'`,
        remedy: `Pass '${keyword}' once, by position or by name.`,
      };
    if (byName.has(keyword) || keywordOnly.has(keyword) || takesAny) continue;
    const near = nearest(keyword, [...byName, ...keywordOnly]);
    return {
      message: `${name}() got an unexpected keyword argument '${keyword}'`,
      remedy:
        near.length > 0
          ? `Did you mean ${near.map((word) => `'${word}'`).join(' or ')}?`
          : `Leave '${keyword}' out; ${name} takes ${describe(parameters) || 'no arguments'}.`,
    };
  }
  if (given > positional.length && !takesMore)
    return tooMany(name, positional, given, keywordOnly, bound ? 1 : 0);
  const missing = positional
    .slice(given)
    .filter((parameter) => !parameter.has_default && !event.args.keywords.has(parameter.name));
  if (missing.length > 0)
    return {
      message: `${name}() missing ${missing.length} required positional argument${missing.length === 1 ? '' : 's'}: ${joinNames(missing.map((parameter) => parameter.name))}`,
      remedy: `Pass ${joinNames(missing.map((parameter) => parameter.name))}.`,
    };
  const absent = parameters.filter(
    (parameter) =>
      parameter.kind === 'keyword_only' && !parameter.has_default && !event.args.keywords.has(parameter.name),
  );
  if (absent.length > 0)
    return {
      message: `${name}() missing ${absent.length} required keyword-only argument${absent.length === 1 ? '' : 's'}: ${joinNames(absent.map((parameter) => parameter.name))}`,
      remedy: `Pass ${absent.map((parameter) => `${parameter.name}=…`).join(', ')}.`,
    };
  return null;
}

function tooMany(
  name: string,
  positional: readonly Parameter[],
  given: number,
  keywordOnly: ReadonlySet<string>,
  own: 0 | 1,
): Problem {
  const required = positional.filter((parameter) => !parameter.has_default).length + own;
  const most = positional.length + own;
  const takes =
    required === most
      ? `${most} positional argument${most === 1 ? '' : 's'}`
      : `from ${required} to ${most} positional arguments`;
  const told = given + own;
  return {
    message: `${name}() takes ${takes} but ${told} ${told === 1 ? 'was' : 'were'} given`,
    remedy:
      keywordOnly.size > 0
        ? `Pass the others by name: ${[...keywordOnly]
            .slice(0, 6)
            .map((word) => `${word}=…`)
            .join(', ')}.`
        : `Pass at most ${positional.length}.`,
  };
}

function joinNames(names: readonly string[]): string {
  const quoted = names.map((word) => `'${word}'`);
  return quoted.length <= 2
    ? quoted.join(' and ')
    : `${quoted.slice(0, -1).join(', ')}, and ${quoted.at(-1)}`;
}

function describe(parameters: readonly Parameter[]): string {
  const shown = parameters.slice(0, 10).map((parameter) => {
    const prefix = { var_positional: '*', var_keyword: '**' }[parameter.kind as string] ?? '';
    return `${prefix}${parameter.name}${parameter.has_default ? '=…' : ''}`;
  });
  return parameters.length > 10 ? `${shown.join(', ')}, …` : shown.join(', ');
}
