// The one subshell that a client makes when it must ask a busy kernel something. It is made when first needed and
// removed when the client lets go of a kernel that is not its own.
import { KernelBusyError } from '../errors.js';
import { type HeldKernel, register, unregister } from '../registry.js';
import type { Conversation } from './conversation.js';

const controlTimeout = 5_000;

export class Subshell implements HeldKernel {
  private created: Promise<string> | undefined;

  constructor(private readonly client: Conversation) {}

  id(): Promise<string> {
    this.created ??= this.create();
    return this.created;
  }

  forget(): void {
    this.created = undefined;
  }

  /** The subshell of a kernel that is not ours is removed even when we are interrupted. */
  close(): Promise<void> {
    return this.client.close();
  }

  killNow(): void {}

  async remove(): Promise<void> {
    const created = this.created;
    this.forget();
    unregister(this);
    const id = await created?.catch(() => undefined);
    if (id !== undefined) {
      await this.client
        .request('delete_subshell_request', { subshell_id: id }, { channel: 'control', timeout: 1_000 })
        .catch(() => undefined);
    }
  }

  private async create(): Promise<string> {
    const options = { channel: 'control', timeout: controlTimeout } as const;
    const reply = await this.client.request('create_subshell_request', {}, options);
    const id = reply.content['subshell_id'];
    if (typeof id !== 'string') {
      this.forget();
      throw new KernelBusyError(this.client.label, reply.ms, reply.content);
    }
    if (!this.client.owned) {
      register(this);
    }
    return id;
  }
}
