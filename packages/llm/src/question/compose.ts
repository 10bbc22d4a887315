// The question of one check: code alone, code with runtime information, or with what the ladder found so far as well.
import { type RedactionLevel, type RungReport, removeSecrets } from '@grus/core';
import { redactSnapshot, type Snapshot } from '@grus/kernel/snapshot';
import { parseCell } from '@grus/python';
import type { ModelRequest } from '../model/model.js';
import { answerSchema } from './answer.js';
import { renderCells, renderTarget } from './cells.js';
import type { Category } from './facts/fact.js';
import { renderFacts } from './facts/render.js';
import { instructions } from './instructions.js';
import { fence } from './shield.js';
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
  readonly redaction: RedactionLevel;
  /** Categories of runtime information to send. Default: all. */
  readonly categories?: readonly Category[];
  /** Tokens that the whole question may take, by estimate. */
  readonly tokens: number;
  readonly name?: string;
}

export type Question = Omit<ModelRequest, 'vote' | 'signal'>;

export function composeQuestion(input: QuestionInput): Question {
  const room = Math.max(400, input.tokens - estimateTokens(instructions) - 100);
  const target = section('TARGET', renderTarget(input.target, room * 0.4));
  const runtime = input.mode === 'code' ? '' : runtimeSection(input, (room - estimateTokens(target)) * 0.6);
  const earlier = input.mode === 'ladder' ? earlierSection(input) : '';
  const left = room - estimateTokens(target + runtime + earlier);
  const code = section('CODE', renderCells(input.executed, input.target, left));
  return {
    instructions,
    prompt: [code, runtime, earlier, target].filter((text) => text !== '').join('\n\n'),
    schema: answerSchema,
    schemaName: 'crash_prediction',
    ...(input.name === undefined ? {} : { name: input.name }),
  };
}

function section(label: string, text: string): string {
  return text === '' ? '' : fence(label, removeSecrets(text));
}

function runtimeSection(input: QuestionInput, tokens: number): string {
  const snapshot = redactSnapshot(input.snapshot, input.redaction);
  const facts = renderFacts(snapshot, parseCell(input.target), {
    tokens,
    ...(input.categories ? { categories: input.categories } : {}),
  });
  return section('RUNTIME', facts);
}

function earlierSection({ earlier = [], redaction }: QuestionInput): string {
  const lines = earlier.map(({ rung, outcome, abstained_because: why }) => {
    const text = `${rung}: ${why ?? outcome}`.slice(0, 600);
    // Messages of exceptions quote values.
    return redaction === 'values' ? text : text.replace(/'[^']*'|"[^"]*"/g, "'…'");
  });
  return section('EARLIER', lines.join('\n'));
}
