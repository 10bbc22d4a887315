// Puts the guard into the kernels of the open notebooks: one silent execution that binds nothing. From then on a process beside
// the kernel judges its cells, and cells are sent as without Grus. Where that cannot be, the page judges them itself.
import type { Kernel as Lab } from '@jupyterlab/services';
import type { GuardFiles, ServerPart } from '../server/server-part.js';

/** Everything is fetched anew because the user may have shadowed it. */
function attachCode({ attach, node, version }: GuardFiles): string {
  const [path, program, number] = [attach, node, version].map((text) => JSON.stringify(text));
  return `__import__("builtins").exec(
    __import__("builtins").open(${path}, encoding="utf-8").read(),
    {"__name__": "grus", "__file__": ${path}, "NODE": ${program}, "VERSION": ${number}},
)`;
}

/** `asked`: the request is in the kernel's queue, so cells that are sent after it find the guard. */
type State = 'asked' | 'attached' | 'impossible';

export class Attachment {
  readonly #states = new WeakMap<Lab.IKernelConnection, State>();

  constructor(private readonly server: ServerPart) {}

  /** Whether cells of this kernel are judged beside it. A kernel that has not been asked yet is asked now. */
  has(connection: Lab.IKernelConnection): boolean {
    const known = this.#states.get(connection);
    if (known !== undefined) return known !== 'impossible';
    const files = this.server.known?.guard;
    if (!files) return false;
    this.#ask(connection, files);
    return true;
  }

  isThere(connection: Lab.IKernelConnection): boolean {
    return this.#states.get(connection) === 'attached';
  }

  /** The kernel was restarted. */
  forget(connection: Lab.IKernelConnection): void {
    this.#states.delete(connection);
  }

  #ask(connection: Lab.IKernelConnection, files: GuardFiles): void {
    this.#states.set(connection, 'asked');
    const { done } = connection.requestExecute({
      code: attachCode(files),
      silent: true,
      store_history: false,
      allow_stdin: false,
      stop_on_error: false,
    });
    done.then(
      ({ content }) => {
        if (this.#states.get(connection) !== 'asked') return;
        if (content.status === 'ok') this.#states.set(connection, 'attached');
        else if (content.status === 'error') {
          this.#states.set(connection, 'impossible');
          console.warn(`Grus cannot judge beside this kernel: ${content.ename}: ${content.evalue}`);
        } else this.#states.delete(connection);
      },
      () => this.#states.delete(connection),
    );
  }
}
