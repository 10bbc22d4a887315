// The question of one check: code alone, code with runtime information, or with what the ladder found so far as well.
import {
  Disclosure,
  type RedactionLevel,
  type RungReport,
  removeSecrets,
  templateOf,
  textOf,
  toldReason,
} from '@grus/core';
import { redactSnapshot, type Snapshot } from '@grus/kernel/snapshot';
import { parseCell } from '@grus/python';
import type { ModelRequest } from '../model/model.js';
import { answerSchema } from './answer.js';
import { type CodeView, renderCells, renderTarget, shownCell } from './cells.js';
import { identifiersOf, type Withheld } from './code/show.js';
import { mentionedIn } from './facts/collect.js';
import type { Category } from './facts/fact.js';
import { renderFacts } from './facts/render.js';
import { instructions } from './instructions.js';
import { type Section, seal } from './shield.js';
import { estimateTokens } from './tokens.js';

export const questionModes = ['code', 'code+runtime', 'ladder'] as const;
/** The study's two modes, and the ladder's own. */
export type QuestionMode = (typeof questionModes)[number];

export interface QuestionInput {
  readonly mode: QuestionMode;
  /** Sources of the executed cells, in execution order. */
  readonly executed: readonly string[];
  readonly target: string;
  readonly snapshot: Snapshot;
  /** What the earlier rungs reported. */
  readonly earlier?: readonly RungReport[];
  /** The crash that is to be repaired, where it is certain. */
  readonly crash?: string;
  readonly redaction: RedactionLevel;
  /** Categories of runtime information to send. Default: all. */
  readonly categories?: readonly Category[];
  /** Tokens that the whole question may take, by estimate. */
  readonly tokens: number;
  /** What the marks of the message are drawn from. Default: one of this process. */
  readonly key?: Buffer;
  readonly name?: string;
}

export type Question = Omit<ModelRequest, 'vote' | 'signal'>;

export interface ComposedQuestion extends Question {
  /** What stands in the target for things that were not told. */
  readonly withheld: readonly Withheld[];
}

export function composeQuestion(input: QuestionInput): ComposedQuestion {
  const room = Math.max(400, input.tokens - estimateTokens(instructions) - 100);
  const disclosure = new Disclosure(input.redaction);
  disclosure.addIdentifiers([...input.executed, input.target].flatMap(identifiersOf));
  const told = input.mode === 'code' ? null : redactSnapshot(input.snapshot, disclosure);
  const view = { disclosure, keys: told === null ? new Set<string>() : keysOf(input.snapshot) };
  const shown = shownCell(input.target, view);
  const target = renderTarget(shown.lines, room * 0.4);
  const runtime = told === null ? '' : runtimeFacts(input, told, view, (room - estimateTokens(target)) * 0.6);
  const earlier = input.mode === 'ladder' ? earlierLines(input, disclosure) : '';
  const crash = input.crash === undefined ? '' : message(input.crash, disclosure);
  const left = room - estimateTokens(target + runtime + earlier + crash);
  const sections: Section[] = [
    { label: 'CODE', text: renderCells(input.executed, input.target, left, view) },
    { label: 'RUNTIME', text: runtime },
    { label: 'EARLIER', text: earlier },
    { label: 'TARGET', text: target },
    { label: 'CRASH', text: crash },
  ];
  return {
    instructions,
    ...seal(sections, input.key),
    schema: answerSchema,
    schemaName: 'crash_prediction',
    withheld: shown.withheld,
    ...(input.name === undefined ? {} : { name: input.name }),
  };
}

function runtimeFacts(
  input: QuestionInput,
  told: Snapshot,
  { disclosure }: CodeView,
  tokens: number,
): string {
  const mentioned = new Set<string>();
  for (const word of mentionedIn(parseCell(input.target))) {
    mentioned.add(disclosure.name(word));
    if (disclosure.isLabel(word)) mentioned.add(disclosure.label(word));
  }
  return renderFacts(told, mentioned, {
    tokens,
    ...(input.categories ? { categories: input.categories } : {}),
  });
}

/** Every text that is a key of a live dict. */
function keysOf({ objects }: Snapshot): Set<string> {
  const keys = Object.values(objects).flatMap(({ structural }) => structural?.keys ?? []);
  return new Set(keys.filter((key) => typeof key === 'string'));
}

function earlierLines({ earlier = [] }: QuestionInput, disclosure: Disclosure): string {
  return earlier
    .map(({ rung, outcome, reason }) => {
      if (reason === null) return `${rung}: ${outcome}`;
      return `${rung}: ${(disclosure.values ? removeSecrets(textOf(reason)) : textOf(toldReason(reason, disclosure))).slice(0, 600)}`;
    })
    .join('\n');
}

/** Messages of exceptions quote values. */
function message(text: string, disclosure: Disclosure): string {
  return disclosure.values ? removeSecrets(text) : templateOf(text, disclosure);
}
