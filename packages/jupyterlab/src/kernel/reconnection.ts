// What came while the connection to a kernel was lost may be lost for good, the end of a cell among it. JupyterLab then takes
// the state of the kernel for unknown, and the cell for one that never ends. A kernel answers in the order in which it was
// asked: once it answers a question of ours again, everything that was asked before is over.
import { ping } from '@grus/kernel';
import { KernelMessage, type Kernel as Lab } from '@jupyterlab/services';
import { Signal } from '@lumino/signaling';

export class Reconnection {
  /** The kernel answers again. */
  readonly answered = new Signal<this, void>(this);
  readonly #waiting = new Set<() => void>();
  #question: { dispose(): void } | null = null;

  constructor(private readonly connection: Lab.IKernelConnection) {
    connection.connectionStatusChanged.connect((_, status) => {
      this.#question?.dispose();
      this.#question = null;
      if (status === 'connected' && connection.status !== 'dead') this.#ask();
    });
  }

  /** What `work` comes to, or `otherwise` when the connection was lost meanwhile and the kernel is done with it. */
  async outlive<Value>(work: Promise<Value>, otherwise: () => Value): Promise<Value> {
    let over = () => {};
    const lost = new Promise<Value>((resolve) => {
      over = () => resolve(otherwise());
    });
    this.#waiting.add(over);
    try {
      return await Promise.race([work, lost]);
    } finally {
      this.#waiting.delete(over);
    }
  }

  #ask(): void {
    const { connection } = this;
    const waiting = [...this.#waiting];
    const message = KernelMessage.createMessage({
      channel: 'shell',
      msgType: ping.type,
      session: connection.clientId,
      username: connection.username,
      content: ping.content,
    });
    const future = connection.sendShellMessage(message, true);
    this.#question = future;
    future.done.catch(() => undefined);
    // JupyterLab's own promise waits for the idle message too, which may be lost.
    future.onReply = () => {
      for (const over of waiting) over();
      this.answered.emit();
    };
  }
}
