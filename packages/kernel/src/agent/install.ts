// Sends the agent's source into a kernel: one silent execution that binds nothing in the user's namespace.
import { GrusError } from '@grus/core';
import { agentPayload, agentVersion } from '../generated/agent-source.js';
import type { Kernel } from '../kernel.js';

export { agentPayload, agentVersion };

export interface InstallOptions {
  /** Milliseconds to wait for a busy kernel. */
  readonly busyBudget?: number;
  /** Milliseconds for the installation itself. */
  readonly timeout?: number;
}

/** The code of the silent execution. Everything is fetched anew because the user may have shadowed `exec`. */
const installCode = `__import__("builtins").exec(
    __import__("zlib").decompress(__import__("binascii").a2b_base64("${agentPayload}")), {"__name__": "grus"}
)`;

/** An expression that no other language evaluates. */
const pythonOnly = '[None for _ in (1,)]';

/** Puts this version of the agent into the kernel, in place of any other. */
export async function installAgent(kernel: Kernel, options: InstallOptions = {}): Promise<void> {
  // Where somebody asked the kernel for its language already, nothing has to be found out.
  const asks = kernel.info.language === null;
  const result = await kernel.execute(installCode, {
    silent: true,
    ...(asks && { userExpressions: { speaks: pythonOnly } }),
    timeout: options.timeout ?? 10_000,
    ...(options.busyBudget === undefined ? {} : { busyBudget: options.busyBudget }),
  });
  if (asks && result.status === 'ok' && !hasEvaluated(result.userExpressions['speaks'])) {
    throw new GrusError(`${kernel.label} does not run Python, and Grus understands only Python`, {
      advice: 'Choose a Python kernel, for instance with --python or --kernel-name python3.',
    });
  }
  if (result.status !== 'ok') {
    const why = result.error ? `${result.error.ename}: ${result.error.evalue}` : result.status;
    throw new GrusError(`${kernel.label} did not take the agent: ${why}`, {
      advice: 'Check that it is an IPython kernel (ipykernel 6 or newer) on Python 3.9 or newer.',
    });
  }
}

function hasEvaluated(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && 'status' in answer && answer.status === 'ok';
}
