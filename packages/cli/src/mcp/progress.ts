// Tells a client how far its call has come, where it asked to be told.
import type { ServerContext } from '@modelcontextprotocol/server';

export function reporter(context: ServerContext, total: number) {
  const token = context.mcpReq._meta?.progressToken;
  return async (progress: number): Promise<void> => {
    if (token === undefined) return;
    await context.mcpReq.notify({
      method: 'notifications/progress',
      params: { progressToken: token, progress, total, message: `${progress} of ${total} cells` },
    });
  };
}
