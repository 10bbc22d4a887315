// The program that the server's part runs with Node: the whole ladder on a kernel of the server, for one cell, or a rehearsal
// of all. Reads a request from standard input and writes lines of JSON, the answer last. The server's address and token come
// in the environment.
import { GrusError, textOf } from '@grus/core';
import { connectServer, type Kernel } from '@grus/kernel';
import type { CheckOptions, CheckTarget } from '@grus/notebook';
import { checkCell, rehearseInCopies, wholeCell } from '@grus/notebook';
import type { LadderReply, LadderRequest, RehearsalReply, RehearsalRequest } from './request.js';
import { showQuestion } from './show.js';

function write(reply: LadderReply | RehearsalReply, written?: () => void): void {
  process.stdout.write(`${JSON.stringify(reply)}\n`, written);
}

async function answer(request: LadderRequest | RehearsalRequest): Promise<LadderReply | RehearsalReply> {
  const server = await connectServer({
    url: process.env['GRUS_SERVER_URL'] ?? '',
    token: process.env['GRUS_SERVER_TOKEN'] ?? '',
  });
  const kernel = await server.attach(request.kernelId, { timeout: 10_000 });
  try {
    if (request.task === 'rehearse') return await rehearsed(kernel, request);
    const { source, metadata, number, cells } = request;
    const target: CheckTarget = { kernel, source, metadata, number, cells };
    if (request.task === 'show') return await showQuestion(target, request);
    return { kind: 'verdict', verdict: await checkCell(target, await optionsOf(request)) };
  } finally {
    await kernel.close();
  }
}

async function rehearsed(kernel: Kernel, { cells, budget }: RehearsalRequest): Promise<RehearsalReply> {
  const pieces = cells.map((cell, position) => wholeCell({ ...cell, position }));
  const { judged, unjudged } = await rehearseInCopies(kernel, pieces, {
    budgetMs: budget * 1000,
    onSettled: (settled) => write({ kind: 'progress', settled }),
  });
  return {
    kind: 'rehearsed',
    judged: judged.map(({ cell, verdict }) => ({ id: cell.id ?? '', verdict })),
    unjudged: unjudged.map(({ cell, reason }) => ({ id: cell.id ?? '', because: textOf(reason) })),
  };
}

async function optionsOf({
  dry,
  dryBudget,
  model,
  redaction,
  verifyFix,
}: LadderRequest): Promise<CheckOptions> {
  const budgetMs = dryBudget * 1000;
  const options: CheckOptions = {
    strict: true,
    ...(dry === 'never' ? {} : { dry: { policy: dry, budgetMs } }),
  };
  if (model === 'none') return options;
  const { llmRung, llmSettings, openModel } = await import('@grus/llm');
  const settings = llmSettings({ ...(model === '' ? {} : { model }), redaction });
  if (settings === null) return options;
  // Agreed to for itself: the cell may be one that is never run in a copy otherwise.
  const verify = verifyFix ? { verify: { ...options, dry: { policy: 'always' as const, budgetMs } } } : {};
  return { ...options, last: llmRung({ settings, open: await openModel(settings), ...verify }) };
}

async function main(): Promise<void> {
  let text = '';
  for await (const chunk of process.stdin) text += String(chunk);
  let reply: LadderReply | RehearsalReply;
  try {
    reply = await answer(JSON.parse(text) as LadderRequest | RehearsalRequest);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    reply = { kind: 'error', message, advice: GrusError.isInstance(error) ? error.advice : '' };
  }
  write(reply, () => process.exit(0));
}

await main();
