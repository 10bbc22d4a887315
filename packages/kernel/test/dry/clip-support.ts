// Asks for the copy alone that hurries ahead of the whole run, as the kernel's side does when a cell takes long.
import { agentVersion } from '../../src/agent/install.js';
import { dryReplySchema } from '../../src/dry/schema.js';
import type { DryCell, Kernel } from '../../src/index.js';

/** Far more than any of these cells takes with its loops cut short, on a machine under load too. */
export const budgetMs = 240_000;

/** What that copy tells of the cell. The agent must be in the kernel already. */
export async function sentAhead(kernel: Kernel, cell: string): Promise<DryCell> {
  const reply = await kernel.request(
    'grus_dry_request',
    {
      agent: agentVersion,
      cells: [cell],
      budget_ms: budgetMs,
      isolation: 'auto',
      require: null,
      memory_mb: null,
      twin_load_ms: 0,
      carry_mb: null,
      clip_after_ms: null,
      clip: true,
    },
    { replyAfterIdle: true, subshell: 'never', busyBudget: 10_000, timeout: budgetMs + 30_000 },
  );
  const told = dryReplySchema.parse(reply.content);
  if (told.status !== 'ok' || told.cells[0] === undefined) throw new Error(JSON.stringify(told));
  return told.cells[0];
}
