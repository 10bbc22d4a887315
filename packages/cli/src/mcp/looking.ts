// The tools that only look: kernels, their state, and the pages of checks and detectors.
import { GrusError, isSensitiveName, nearest, type RedactionLevel } from '@grus/core';
import type { Kernel } from '@grus/kernel';
import { redactSnapshot } from '@grus/kernel/snapshot';
import { snapshotFor } from '@grus/notebook';
import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { pages } from '../generated/pages.js';
import { answer, answerSchema, type Detail, detail, guarded } from './answer.js';
import type { Kernels } from './kernels.js';

const mostDescribed = 50;
const hints = { readOnlyHint: true, idempotentHint: true, destructiveHint: false, openWorldHint: false };

export function registerLooking(server: McpServer, kernels: Kernels, redaction: RedactionLevel): void {
  server.registerTool(
    'list_kernels',
    {
      title: 'Which kernels there are',
      description: 'Lists the kernels that the other tools can be asked about. Starts and attaches to none.',
      inputSchema: z.object({ detail }),
      outputSchema: answerSchema,
      annotations: hints,
    },
    guarded(async ({ detail: wanted }) => {
      const found = await kernels.list();
      return answer(`${found.length} kernels. "own" is one that Grus starts.`, { kernels: found }, wanted);
    }),
  );

  server.registerTool(
    'kernel_state',
    {
      title: 'What is in the kernel',
      description:
        'Reads names, types, shapes, columns and statistics from the live kernel without executing anything. Call it instead of printing variables.',
      inputSchema: z.object({
        names: z
          .array(z.string().regex(/^[^\W\d]\w*$/u))
          .max(mostDescribed)
          .default([])
          .describe('Variables to describe; none: only which there are.'),
        kernel: z.string().optional(),
        detail,
      }),
      outputSchema: answerSchema,
      annotations: hints,
    },
    guarded(async ({ names, kernel, detail: wanted }) => state(await kernels.get(kernel), names, wanted)),
  );

  server.registerResource(
    'snapshot',
    new ResourceTemplate('grus://kernels/{kernel}/snapshot', {
      list: async () => ({
        resources: (await kernels.list()).map(({ kernel }) => ({
          uri: `grus://kernels/${encodeURIComponent(kernel)}/snapshot`,
          name: `snapshot of ${kernel}`,
        })),
      }),
    }),
    { title: 'What is in a kernel, described', mimeType: 'text/plain' },
    async (uri, { kernel: name }) => {
      const kernel = await kernels.get(decodeURIComponent(String(name)));
      const { namespace } = await snapshotFor(kernel, 'pass');
      const { content } = await state(kernel, namespace.slice(0, mostDescribed), 'full');
      return { contents: [{ uri: uri.href, mimeType: 'text/plain', text: content[0]!.text }] };
    },
  );

  /** Names, and what some of them hold, as the tool and the resource tell it. */
  async function state(kernel: Kernel, names: readonly string[], wanted: Detail) {
    const read = await snapshotFor(kernel, names.length === 0 ? 'pass' : names.join('\n'));
    const { absent, objects, versions, names: described } = redactSnapshot(read, redaction);
    const namespace = read.namespace.filter((name) => !isSensitiveName(name));
    const told = `${namespace.length} names in the kernel, ${Object.keys(described).length} described.`;
    const facts = names.length === 0 ? {} : { names: described, absent, objects };
    return answer(told, { execution_count: read.execution_count, namespace, versions, ...facts }, wanted);
  }

  server.registerTool(
    'explain',
    {
      title: 'What a check means',
      description: 'The page of a check or detector by its id, such as names/undefined-name.',
      inputSchema: z.object({ id: z.string().max(120), detail }),
      outputSchema: answerSchema,
      annotations: hints,
    },
    guarded(({ id, detail: wanted }) => {
      const { title, text } = pageOf(id);
      return answer(title, { text }, wanted);
    }),
  );

  server.registerResource(
    'page',
    new ResourceTemplate('grus://pages/{+id}', {
      list: () => ({
        resources: pages.map(({ id, title }) => ({
          uri: `grus://pages/${id}`,
          name: id,
          title,
          mimeType: 'text/markdown',
        })),
      }),
    }),
    { title: 'Pages of checks and detectors', mimeType: 'text/markdown' },
    (uri, { id }) => ({
      contents: [{ uri: uri.href, mimeType: 'text/markdown', text: pageOf(String(id)).text }],
    }),
  );
}

function pageOf(id: string) {
  const page = pages.find((candidate) => candidate.id === id);
  if (page) return page;
  const [near] = nearest(
    id,
    pages.map((candidate) => candidate.id),
  );
  throw new GrusError('there is no such page', {
    advice: near ? `Did you mean ${near}?` : 'Look into the list of resources.',
  });
}
