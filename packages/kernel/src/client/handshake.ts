// The first exchange with a kernel: proof that it answers and that its iopub messages reach us. A subscription takes effect
// late and silently, so the kernel is asked until something arrives. The control channel is asked as well, because a kernel
// that is running a cell answers there only. Nothing is asked whose answer changes the kernel: `kernel_info_request` is,
// since the banner in its reply draws a tip with the user's random numbers.
import { KernelTimeoutError } from '../errors.js';
import type { KernelInfo } from '../kernel.js';
import { type Message, newMessage } from '../protocol/message.js';
import type { Conversation } from './conversation.js';
import type { Exchange } from './exchange.js';
import { timedOut, within } from './wait.js';

const askAgainAfter = 200;
/** An idle kernel answers on its shell within this time of answering on its control channel. */
const shellGrace = 300;
/** A kernel with a control channel of its own answers there at once, unless it is only starting. */
const controlGrace = 3_000;
/** Which comms of a kind that nobody opens are there: every kernel answers, from a table. */
export const ping = { type: 'comm_info_request', content: { target_name: 'grus' } } as const;

export async function shakeHands(client: Conversation, timeout: number): Promise<KernelInfo> {
  const deadline = performance.now() + timeout;
  const asked: Exchange[] = [];
  const open = (channel: 'shell' | 'control', type: string, content: Message['content'] = {}) => {
    const exchange = client.open(channel, newMessage(client.transport.session, type, content));
    asked.push(exchange);
    return exchange.reply;
  };
  const ask = (channel: 'shell' | 'control') => open(channel, ping.type, ping.content);
  const shell = ask('shell');
  const replies = [shell, ask('control')];
  let answered = false;
  try {
    while (!answered || !client.activity.heard) {
      if (performance.now() > deadline) {
        throw new KernelTimeoutError(client.label, ping.type, timeout);
      }
      answered = (await within(Promise.race(replies), askAgainAfter)) !== timedOut;
      if (!answered || !(await client.activity.waitUntilHeard(askAgainAfter))) {
        replies.push(ask('control'));
      }
    }
    if ((await within(shell, shellGrace)) === timedOut) {
      client.activity.shellUnanswered(true);
      shell.then(
        () => client.activity.shellUnanswered(false),
        () => client.activity.shellUnanswered(false),
      );
    } else {
      await client.waitUntilIdle(shellGrace);
    }
    // A kernel answers in order: once the second question is answered, the first was answered or not understood.
    const listed = open('control', 'list_subshell_request');
    const first = await within(Promise.race([listed, ask('control')]), controlGrace);
    const subshells = first !== timedOut && 'subshell_id' in first.content;
    return { language: null, subshells };
  } finally {
    for (const exchange of asked) {
      if (exchange.reply !== shell) {
        client.done(exchange);
      }
    }
  }
}
