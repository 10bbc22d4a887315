// One execution from request to result: outputs as they come, the interrupt when its time is up, the repeat when the
// kernel aborted it because of somebody's earlier failure.
import type { ExecuteError, ExecuteOptions, ExecuteResult } from '../kernel.js';
import { type Content, type Message, newMessage } from '../protocol/message.js';
import type { Conversation } from './conversation.js';
import { OutputCollector } from './outputs.js';
import { pause, timedOut, within } from './wait.js';

const abortedRetries = 20;
const abortedRetryPause = 50;
const interruptGrace = 5_000;
/** Outputs are complete when the kernel says idle; a lost status message must not hold the result for ever. */
const idleGrace = 5_000;

export async function runExecution(
  client: Conversation,
  code: string,
  options: ExecuteOptions,
  subshell: string | undefined,
): Promise<ExecuteResult> {
  let result = await attempt(client, code, options, subshell);
  for (let retry = 0; result.status === 'aborted' && retry < abortedRetries; retry += 1) {
    await pause(abortedRetryPause);
    result = await attempt(client, code, options, subshell);
  }
  return result;
}

async function attempt(
  client: Conversation,
  code: string,
  options: ExecuteOptions,
  subshell: string | undefined,
): Promise<ExecuteResult> {
  const started = performance.now();
  const silent = options.silent ?? false;
  const collector = new OutputCollector(options.onOutput);
  const content = {
    code,
    silent,
    store_history: options.storeHistory ?? !silent,
    user_expressions: options.userExpressions ?? {},
    allow_stdin: false,
    stop_on_error: options.stopOnError ?? false,
  };
  const message = newMessage(client.transport.session, 'execute_request', content, { subshell });
  const exchange = client.open('shell', message, (output) => collector.add(output));
  try {
    let reply = await within(exchange.reply, options.timeout ?? Number.POSITIVE_INFINITY);
    const late = reply === timedOut;
    if (late && subshell === undefined) {
      await client.interrupt();
      reply = await within(exchange.reply, interruptGrace);
    }
    if (reply !== timedOut) {
      await within(exchange.idle, idleGrace);
    }
    const answered = reply === timedOut ? undefined : reply;
    return {
      status: late ? 'timeout' : statusOf(answered),
      executionCount: countOf(answered),
      outputs: collector.outputs,
      error: errorOf(answered),
      userExpressions: (answered?.content['user_expressions'] ?? {}) as Content,
      recovered: answered !== undefined,
      ms: performance.now() - started,
    };
  } finally {
    client.done(exchange);
  }
}

function statusOf(reply: Message | undefined): 'ok' | 'error' | 'aborted' {
  const status = reply?.content['status'];
  return status === 'ok' || status === 'error' ? status : 'aborted';
}

function countOf(reply: Message | undefined): number | null {
  const count = reply?.content['execution_count'];
  return typeof count === 'number' ? count : null;
}

function errorOf(reply: Message | undefined): ExecuteError | null {
  if (reply?.content['status'] !== 'error') {
    return null;
  }
  const { ename, evalue, traceback } = reply.content;
  return {
    ename: String(ename ?? ''),
    evalue: String(evalue ?? ''),
    traceback: Array.isArray(traceback) ? traceback.map(String) : [],
  };
}
