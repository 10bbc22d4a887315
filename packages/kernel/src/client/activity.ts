// Whether the main shell of the kernel is at work, for whichever client: read off the status messages that every
// client receives. Work in subshells, on the control channel and on our own short requests does not count.
import type { Message } from '../protocol/message.js';

export class Activity {
  private readonly running = new Set<string>();
  private readonly waiters = new Set<() => void>();
  private readonly ignored = new Set<string>();
  private unanswered = false;
  private iopubSeen = false;
  private busySince = 0;

  get busy(): boolean {
    return this.running.size > 0 || this.unanswered;
  }

  /** Milliseconds since the main shell became busy; 0 when it is idle. */
  get busyFor(): number {
    return this.busy ? performance.now() - this.busySince : 0;
  }

  /** True once any message has come over iopub: the subscription is known to work. */
  get heard(): boolean {
    return this.iopubSeen;
  }

  hear(): void {
    this.iopubSeen = true;
    this.wake();
  }

  /** A request of ours that is no execution: short, and no reason to look for another way in. */
  ignore(messageId: string): void {
    this.ignored.add(messageId);
  }

  /** The kernel answers on its control channel but not on its shell: it was busy before we came. */
  shellUnanswered(unanswered: boolean): void {
    this.begin();
    this.unanswered = unanswered;
    this.wake();
  }

  reset(): void {
    this.running.clear();
    this.ignored.clear();
    this.unanswered = false;
    this.iopubSeen = false;
    this.wake();
  }

  status(message: Message): void {
    const parent = message.parent_header;
    const state = message.content['execution_state'];
    const id = parent.msg_id;
    if (state === 'starting') {
      this.running.clear();
    } else if (id !== undefined && this.ignored.has(id)) {
      if (state === 'idle') {
        this.ignored.delete(id);
      }
    } else if (id !== undefined && !parent.subshell_id) {
      if (state === 'busy') {
        this.begin();
        this.running.add(id);
      } else if (state === 'idle') {
        this.running.delete(id);
      }
    }
    this.wake();
  }

  /** Resolves with true as soon as the main shell is idle, with false after `ms`. */
  waitUntilIdle(ms: number): Promise<boolean> {
    return this.waitFor(() => !this.busy, ms);
  }

  waitUntilHeard(ms: number): Promise<boolean> {
    return this.waitFor(() => this.iopubSeen, ms);
  }

  private begin(): void {
    if (!this.busy) {
      this.busySince = performance.now();
    }
  }

  private waitFor(condition: () => boolean, ms: number): Promise<boolean> {
    if (condition()) {
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const finish = (met: boolean) => {
        clearTimeout(timer);
        this.waiters.delete(check);
        resolve(met);
      };
      const check = () => {
        if (condition()) {
          finish(true);
        }
      };
      const timer = Number.isFinite(ms) ? setTimeout(() => finish(false), ms) : undefined;
      this.waiters.add(check);
    });
  }

  private wake(): void {
    for (const check of [...this.waiters]) {
      check();
    }
  }
}
