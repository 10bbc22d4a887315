// The subshell in which a kernel answers while a cell is running: made when first needed, where kernel and JupyterLab
// both know of subshells.
import type { Kernel as Lab } from '@jupyterlab/services';

export class Subshell {
  #created: Promise<string> | undefined;

  constructor(private readonly connection: Lab.IKernelConnection) {}

  /** JupyterLab before 4.4 cannot make one. */
  get possible(): boolean {
    return typeof this.connection.requestCreateSubshell === 'function';
  }

  id(): Promise<string> {
    this.#created ??= this.#create();
    return this.#created;
  }

  async remove(): Promise<void> {
    const id = await this.#created?.catch(() => undefined);
    this.#created = undefined;
    if (id === undefined || this.connection.isDisposed) return;
    await this.connection.requestDeleteSubshell({ subshell_id: id }).done.catch(() => undefined);
  }

  async #create(): Promise<string> {
    const { content } = await this.connection.requestCreateSubshell({}).done;
    if (typeof content.subshell_id === 'string') return content.subshell_id;
    this.#created = undefined;
    throw new Error('the kernel made no subshell');
  }
}
