// The work of `grus snapshot --as-sent`: climbs the ladder as a check does, and shows the request instead of sending it.
import type { RedactionLevel } from '@grus/core';
import { llmSettings, type Question, questionFor, requestAsSent } from '@grus/llm';
import { type CheckTarget, checkCell } from '@grus/notebook';
import { dryOptions } from './dry.js';

export interface AsSentFlags {
  readonly model?: string;
  readonly redaction?: RedactionLevel;
}

export async function showAsSent(target: CheckTarget, flags: AsSentFlags): Promise<void> {
  const configured = llmSettings(flags);
  const settings = configured ?? llmSettings({ ...flags, model: 'compatible:http://unconfigured#none' })!;
  let question: Question | null = null;
  const verdict = await checkCell(target, {
    dry: dryOptions({}, 'always'),
    last: {
      name: 'llm',
      run: async (context, earlier) => {
        question = await questionFor(context, earlier, { settings });
        return { outcome: 'unknown', reason: { code: 'only-shown' } };
      },
    },
  });
  if (question === null) {
    process.stderr.write(`Nothing would be sent: the ${verdict.rung} rung decides about this cell.\n`);
    return;
  }
  const request = configured === null ? null : await requestAsSent(configured, question);
  if (request === null) {
    process.stderr.write(
      configured === null
        ? 'No model is configured: nothing is sent. This is what one would be told.\n'
        : 'This model is on this machine: nothing is sent. This is what it is told.\n',
    );
    const { instructions, prompt } = question as Question;
    process.stdout.write(`${instructions}\n\n${prompt}\n`);
    return;
  }
  process.stderr.write(`POST ${request.url}\n`);
  process.stdout.write(`${request.body}\n`);
}
