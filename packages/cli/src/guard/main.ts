// The process beside a kernel that runs the guard. One line of JSON is one message: questions come in, and what has to be
// known of the kernel is asked back over the same pipe. It ends when the kernel closes the pipe.
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { GrusError } from '@grus/core';
import { agentPayload, type Content } from '@grus/kernel';
import { z } from 'zod';
import { version } from '../generated/version.js';
import { settled } from '../jobs/settled.js';
import { type Errand, RunningAhead } from './ahead.js';
import { type GuardSettings, judge, judgeCell } from './judge.js';
import { PlannedNotebook, planSchema } from './notebook.js';
import { PipeKernel } from './pipe-kernel.js';
import { warmUp } from './warm-up.js';

const question = z.discriminatedUnion('task', [
  z.object({ question: z.number(), task: z.enum(['guard', 'check', 'rehearse']), source: z.string() }),
  z.object({ question: z.number(), task: z.literal('cell'), cell: z.string(), source: z.string() }),
]);
const incoming = z.union([
  question,
  z.object({ plan: planSchema }),
  z.object({ reply: z.number(), content: z.record(z.string(), z.unknown()) }),
]);

let settings: GuardSettings = {};
const waiting = new Map<number, (content: Content) => void>();
const notebook = new PlannedNotebook();
/** The kernel names the descriptor of a socket where it can fork copies that run ahead. */
const socket = Number(process.argv[2]);
const ahead = Number.isInteger(socket) ? new RunningAhead(socket, () => settings.silenced ?? []) : null;
let requests = 0;
let isWanted = false;

function send(message: unknown): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

/** The kernel as one question sees it: what it asks after the next question came is not answered. */
function kernelOf(question: number): PipeKernel {
  return new PipeKernel((kind, content) => {
    requests += 1;
    send({ request: requests, question, kind, content });
    return new Promise((resolve) => waiting.set(requests, resolve));
  });
}

async function answer(asked: z.infer<typeof question>): Promise<void> {
  const kernel = kernelOf(asked.question);
  try {
    const told =
      asked.task === 'cell'
        ? await answerCell(kernel, asked)
        : await judge(kernel, asked.task, asked.source, settings);
    send({ question: asked.question, ...told });
  } catch (error) {
    send({ question: asked.question, failed: error instanceof Error ? error.message : String(error) });
  }
}

async function answerCell(kernel: PipeKernel, asked: { readonly cell: string; readonly source: string }) {
  const { target, ...told } = await judgeCell(kernel, notebook, asked, settings);
  const errand: Errand | null =
    told.verdict === null && notebook.runsAhead ? (ahead?.errand(target) ?? null) : null;
  return { ...told, ahead: errand };
}

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const message = incoming.parse(JSON.parse(line));
    if ('reply' in message) {
      waiting.get(message.reply)?.(message.content);
      waiting.delete(message.reply);
    } else if ('plan' in message) {
      notebook.take(message.plan);
    } else {
      isWanted = true;
      waiting.clear();
      void answer(message);
    }
  })
  .on('close', () => process.exit(0));

/** The settings of the project that the kernel was started in. A file with a mistake changes nothing, and is told of. */
async function readSettings(): Promise<{ file: string | null; problem: string | null }> {
  try {
    // The kernel runs in the folder of its notebook, whatever its server calls the path.
    const name = process.env['JPY_SESSION_NAME'];
    const notebook = name ? join(process.cwd(), basename(name)) : null;
    settings = await settled<GuardSettings>(notebook, {});
    return { file: settings.settingsFile ?? null, problem: null };
  } catch (error) {
    return {
      file: null,
      problem: GrusError.isInstance(error) ? `${error.message}. ${error.advice}` : String(error),
    };
  }
}

void readSettings().then((read) => {
  send({ version, agent: agentPayload, settings: read });
  // Nobody waits for it, and nobody has to know if it fails.
  warmUp(() => isWanted).catch(() => undefined);
});
