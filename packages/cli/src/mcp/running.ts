// The tools that run code: `try_cell` in a copy that is thrown away, `commit` in the kernel itself. The second is there only
// where the user allowed it at start.
import { exceptionText } from '@grus/core';
import { dryRun } from '@grus/kernel';
import { conclude } from '@grus/notebook';
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { answer, answerSchema, detail, guarded } from './answer.js';
import type { Kernels } from './kernels.js';

const tryMs = 20_000;
const twinLoadMs = 60_000;
const commitMs = 600_000;
const shape = {
  code: z.string().min(1).max(200_000),
  kernel: z.string().optional().describe('A kernel of list_kernels; left out, the one of this session.'),
  detail,
};

export function registerTrying(server: McpServer, kernels: Kernels): void {
  server.registerTool(
    'try_cell',
    {
      title: 'Try a cell in a copy',
      description:
        'Runs code in an isolated copy of the kernel and returns what it printed and showed: text, tables and pictures. The kernel, its variables and the disk stay as they are, and the network is closed. Use it to look at data or to try an idea.',
      inputSchema: z.object(shape),
      outputSchema: answerSchema,
      annotations: { readOnlyHint: true, idempotentHint: true, destructiveHint: false, openWorldHint: false },
    },
    guarded(async ({ code, kernel, detail: wanted }, context) => {
      const copy = await dryRun(await kernels.get(kernel), [code], {
        ...{ budgetMs: tryMs, twinLoadMs, rich: true },
        signal: context.mcpReq.signal,
      });
      const ran = copy.status === 'ok' ? copy.cells[0] : undefined;
      const result = conclude(copy, 0, code);
      const told =
        ran?.status === 'finished'
          ? 'It finished in a copy. The kernel is as before.'
          : ran?.status === 'raised'
            ? 'It raised an exception in the copy. The kernel is as before.'
            : 'No copy could finish it. The kernel is as before.';
      const shown = (ran?.shown ?? []).map(shownOf);
      const { content, ...rest } = answer(
        told,
        {
          status: ran?.status ?? 'no-verdict',
          output: ran?.output ?? '',
          output_dropped: ran?.output_dropped ?? 0,
          exception: ran?.status === 'raised' ? exceptionText(ran) : null,
          line: ran?.status === 'raised' ? ran.line : null,
          because: result.outcome === 'unknown' ? result.reason : null,
          effects: ran?.effects ?? [],
          tables: shown.flatMap(({ table }) => (table === null ? [] : [table])),
          pictures: shown.flatMap(({ pictures }) => pictures).length,
        },
        wanted,
      );
      return { ...rest, content: [...content, ...shown.flatMap(({ pictures }) => pictures)] };
    }),
  );
}

/** A picture is part of the answer; a table is data, as HTML. */
function shownOf(data: Readonly<Record<string, string>>) {
  const pictures = ['image/png', 'image/jpeg'].flatMap((mimeType) => {
    const picture = data[mimeType];
    return picture === undefined ? [] : [{ type: 'image' as const, mimeType, data: picture }];
  });
  return { table: data['text/html'] ?? null, pictures };
}

export function registerCommit(server: McpServer, kernels: Kernels): void {
  server.registerTool(
    'commit',
    {
      title: 'Run a cell in the kernel',
      description:
        'Runs code in the kernel itself, for real: variables, files and the network are those of the user. Call check_cell first, and do not commit what would crash.',
      inputSchema: z.object(shape),
      outputSchema: answerSchema,
      annotations: { readOnlyHint: false, idempotentHint: false, destructiveHint: true, openWorldHint: true },
    },
    guarded(async ({ code, kernel, detail: wanted }) => {
      const result = await (await kernels.get(kernel)).execute(code, { timeout: commitMs });
      const told = result.status === 'ok' ? 'It ran.' : `It did not run to its end (${result.status}).`;
      return answer(told, { status: result.status, error: result.error, outputs: result.outputs }, wanted);
    }),
  );
}
