// The first exchange with a kernel: its description of itself, and proof that its iopub messages reach us. A
// subscription takes effect late and silently, so the kernel is asked until something arrives. The control channel is
// asked as well, because a kernel that is running a cell answers there only.
import { KernelTimeoutError } from '../errors.js';
import type { KernelInfo } from '../kernel.js';
import { type Message, newMessage } from '../protocol/message.js';
import type { Conversation } from './conversation.js';
import type { Exchange } from './exchange.js';
import { readKernelInfo } from './info.js';
import { timedOut, within } from './wait.js';

const askAgainAfter = 200;
/** An idle kernel answers on its shell within this time of answering on its control channel. */
const shellGrace = 300;

export async function shakeHands(client: Conversation, timeout: number): Promise<KernelInfo> {
  const deadline = performance.now() + timeout;
  const asked: Exchange[] = [];
  const ask = (channel: 'shell' | 'control') => {
    const exchange = client.open(channel, newMessage(client.transport.session, 'kernel_info_request', {}));
    asked.push(exchange);
    return exchange.reply;
  };
  const shell = ask('shell');
  const replies = [shell, ask('control')];
  let described: Message | undefined;
  try {
    while (described === undefined || !client.activity.heard) {
      if (performance.now() > deadline) {
        throw new KernelTimeoutError(client.label, 'kernel_info_request', timeout);
      }
      const answer = await within(Promise.race(replies), askAgainAfter);
      described = answer === timedOut ? undefined : answer;
      if (described === undefined || !(await client.activity.waitUntilHeard(askAgainAfter))) {
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
    return readKernelInfo(described.content);
  } finally {
    for (const exchange of asked) {
      if (exchange.reply !== shell) {
        client.done(exchange);
      }
    }
  }
}
