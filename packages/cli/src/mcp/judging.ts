// The tools that judge code before it runs. None of them runs anything in the kernel itself: what is run, is run in copies.
import { textOf, type Verdict } from '@grus/core';
import { checkCell, rehearseInCopies, wholeCell } from '@grus/notebook';
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { answer, answerSchema, type Detail, detail, guarded, plainAnswer } from './answer.js';
import type { Kernels } from './kernels.js';
import { reporter } from './progress.js';

const kernel = z.string().optional().describe('A kernel of list_kernels; left out, the one of this session.');
const code = z.string().min(1).max(200_000);
const hints = { readOnlyHint: true, idempotentHint: true, destructiveHint: false, openWorldHint: false };

export function registerJudging(server: McpServer, kernels: Kernels): void {
  server.registerTool(
    'check_cell',
    {
      title: 'Will this cell crash?',
      description:
        'Predicts whether Python code would crash in the live kernel, without running it there. Call it before you run a cell. "crash" is certain and names the exception, the line and the remedy (detail "full" adds why, and the evidence); "ok" means that the whole cell finished in a copy; "unknown" is no promise.',
      inputSchema: z.object({ code, kernel, detail }),
      outputSchema: answerSchema,
      annotations: hints,
    },
    guarded(async ({ code: source, kernel: name, detail: wanted }, context) => {
      const verdict = await judged(kernels, name, source, context.mcpReq.signal);
      return verdictAnswer(sentenceOf(verdict), verdict, wanted);
    }),
  );

  server.registerTool(
    'verify_fix',
    {
      title: 'Does this edit run?',
      description:
        'Runs an edited cell in a copy of the kernel and says whether it finishes there. The kernel is not touched. Call it before you offer or apply a fix.',
      inputSchema: z.object({ code: code.describe('The whole edited cell.'), kernel, detail }),
      outputSchema: answerSchema,
      annotations: hints,
    },
    guarded(async ({ code: source, kernel: name, detail: wanted }, context) => {
      const verdict = await judged(kernels, name, source, context.mcpReq.signal);
      const told =
        verdict.outcome === 'ok'
          ? 'The edit holds: the whole cell finished in a copy of the kernel.'
          : verdict.outcome === 'crash'
            ? `The edit does not hold. ${sentenceOf(verdict)}`
            : 'Not proven: no crash was found, and the cell did not finish in a copy.';
      return verdictAnswer(told, verdict, wanted);
    }),
  );

  server.registerTool(
    'rehearse_cells',
    {
      title: 'Rehearse cells',
      description:
        'Tries several cells one after the other in copies of the kernel, with training cut short, and goes on after a crash with the cells that do not depend on it. Call it before a long run.',
      inputSchema: z.object({
        cells: z.array(code).min(1).max(200),
        seconds: z.number().min(1).max(600).default(60).describe('For all copies together.'),
        kernel,
        detail,
      }),
      outputSchema: answerSchema,
      annotations: hints,
    },
    guarded(async ({ cells, seconds, kernel: name, detail: wanted }, context) => {
      const pieces = cells.map((source, index) =>
        wholeCell({ number: index + 1, id: null, source, metadata: {}, position: index }),
      );
      const { judged: found, unjudged } = await rehearseInCopies(await kernels.get(name), pieces, {
        budgetMs: seconds * 1000,
        signal: context.mcpReq.signal,
        onSettled: reporter(context, cells.length),
      });
      const crashes = found.filter(({ verdict }) => verdict.outcome === 'crash');
      const told = `${crashes.length} of ${cells.length} cells would crash${crashes.length > 0 ? `: cell ${crashes.map(({ cell }) => cell.number).join(', ')}` : ''}. ${unjudged.length} were not judged.`;
      return answer(
        told,
        {
          crashes: crashes.map(({ cell, verdict }) => ({ cell: cell.number, ...verdictData(verdict) })),
          not_judged: unjudged.map(({ cell, reason }) => ({ cell: cell.number, because: textOf(reason) })),
        },
        wanted,
      );
    }),
  );
}

/** A call that is cancelled ends its copy. */
async function judged(
  kernels: Kernels,
  name: string | undefined,
  source: string,
  signal: AbortSignal,
): Promise<Verdict> {
  const target = { kernel: await kernels.get(name), source, metadata: {}, number: null, cells: [] };
  return checkCell(target, { strict: true, dry: { policy: 'always', signal } });
}

/** Our own words: nothing of it comes from the notebook. */
function sentenceOf({ outcome, line }: Verdict): string {
  switch (outcome) {
    case 'crash':
      return `It would crash${line === null ? '' : ` in line ${line}`}. Do not run it.`;
    case 'ok':
      return 'The whole code finished in a copy of the kernel.';
    case 'unknown':
      return 'No certain crash was found, which is no promise.';
  }
}

/** Short: of a crash what, where and what to do; of everything else the sentence says it all. */
function verdictAnswer(told: string, verdict: Verdict, wanted: Detail) {
  if (wanted === 'full') return answer(told, { ...verdictData(verdict), ...restOf(verdict) }, wanted);
  return verdict.outcome === 'crash'
    ? answer(told, crashData(verdict), wanted, ({ exception, remedy }) =>
        JSON.stringify({ raises: exception ? `${exception.type}: ${exception.message}` : null, do: remedy }),
      )
    : plainAnswer(told, { outcome: verdict.outcome });
}

/** What it takes to mend it. Where no remedy is known, the reason has to do. */
function crashData({ outcome, exception, line, explanation, remedy }: Verdict) {
  return { outcome, exception, line, remedy: remedy ?? explanation };
}

function verdictData({ outcome, exception, line, explanation, remedy, findings }: Verdict) {
  return { outcome, exception, line, explanation, remedy, check: findings[0]?.check ?? null };
}

function restOf({ rung, confidence, evidence }: Verdict) {
  return { rung, confidence, evidence };
}
