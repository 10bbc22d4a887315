// Whether anything may have run in a kernel since it was last read, as its messages tell, those of other clients among them.
// What a check reads itself changes nothing and does not count.
import { snapshotRequestType } from '@grus/kernel';
import type { KernelMessage, Kernel as Lab } from '@jupyterlab/services';
import { Signal } from '@lumino/signaling';
import { lookRequestType } from '../guard/protocol.js';
import { Reconnection } from './reconnection.js';

/** Requests that run none of the user's code. */
const reading: ReadonlySet<string> = new Set([
  snapshotRequestType,
  lookRequestType,
  'kernel_info_request',
  'comm_info_request',
  'history_request',
  'is_complete_request',
  'create_subshell_request',
  'list_subshell_request',
  'delete_subshell_request',
]);

export class Pulse {
  /** The kernel has nothing to do after something may have run: told with the type of the last message of that kind. */
  readonly settled = new Signal<this, string>(this);
  /** Changes whenever something may have run. */
  #beats = 0;
  #told = -1;
  #last = '';
  #running = new Set<string>();
  /** Whether the kernel went busy for one of those requests. */
  #reads = false;
  #harmless = '';
  /** Whether the kernel said itself that it is done with what it had to do when the connection came back. */
  #done = false;
  readonly reconnection: Reconnection;

  constructor(private readonly connection: Lab.IKernelConnection) {
    connection.anyMessage.connect((_, { msg, direction }) => {
      if (direction === 'send') this.#sent(msg);
      else if (msg.channel === 'iopub' && msg.header.msg_type === 'status') this.#status(msg as never);
    });
    // Messages may have been missed.
    connection.connectionStatusChanged.connect(() => this.#startOver());
    connection.statusChanged.connect((_, status) => {
      if (status === 'idle' || status === 'busy') this.#tell();
      else this.#startOver();
    });
    this.reconnection = new Reconnection(connection);
    this.reconnection.answered.connect(() => {
      this.#done = true;
      this.#tell();
    });
  }

  get beats(): number {
    return this.#beats;
  }

  /** Whether nobody's code is running. A kernel that only answers a question of ours is quiet. */
  get quiet(): boolean {
    const { status, connectionStatus } = this.connection;
    if (connectionStatus !== 'connected' || this.#running.size > 0) return false;
    return status === 'idle' || (status === 'busy' && this.#reads) || this.#done;
  }

  /** Whether JupyterLab takes the kernel for idle, or nothing but a question of ours keeps it from being so. */
  get idle(): boolean {
    return this.connection.status === 'idle' || this.quiet;
  }

  /** Resolves with true as soon as the kernel is idle, with false after `ms` or when the connection ends. */
  whenIdle(ms: number): Promise<boolean> {
    if (this.idle) return Promise.resolve(true);
    const { connection } = this;
    return new Promise((resolve) => {
      const finish = (idle: boolean) => {
        clearTimeout(timer);
        connection.statusChanged.disconnect(look);
        this.settled.disconnect(look);
        connection.disposed.disconnect(gone);
        resolve(idle);
      };
      const look = () => {
        if (this.idle) finish(true);
      };
      const gone = () => finish(false);
      const timer = setTimeout(() => finish(false), ms);
      connection.statusChanged.connect(look);
      this.settled.connect(look);
      connection.disposed.connect(gone);
    });
  }

  #sent({ channel, header, content }: KernelMessage.IMessage): void {
    if (asksDebugger(header.msg_type, content)) this.#harmless = header.msg_id;
    else if (channel === 'shell' && !reading.has(header.msg_type)) {
      this.#done = false;
      this.#beat(header.msg_type);
      this.#running.add(header.msg_id);
    }
  }

  #status({ parent_header: parent, content }: KernelMessage.IStatusMsg): void {
    const id = 'msg_id' in parent ? parent.msg_id : '';
    if (content.execution_state === 'idle') this.#running.delete(id);
    else {
      const type = 'msg_type' in parent ? parent.msg_type : '';
      this.#reads = reading.has(type) || id === this.#harmless;
      if (!this.#reads) {
        this.#done = false;
        this.#beat(type);
        if (content.execution_state === 'busy') this.#running.add(id);
      }
    }
    this.#tell();
  }

  #startOver(): void {
    this.#beat('');
    this.#running = new Set();
    this.#reads = false;
    this.#done = false;
    this.#tell();
  }

  #beat(type: string): void {
    this.#beats += 1;
    this.#last = type;
  }

  #tell(): void {
    if (this.#told === this.#beats || !this.quiet) return;
    this.#told = this.#beats;
    this.settled.emit(this.#last);
  }
}

/** JupyterLab asks after the state of the debugger whenever a notebook gets the focus. Its other requests may run anything. */
function asksDebugger(type: string, content: object): boolean {
  return type === 'debug_request' && 'command' in content && content.command === 'debugInfo';
}
