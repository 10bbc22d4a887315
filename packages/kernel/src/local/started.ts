// The transport of a local kernel that we started: process, sockets and connection file come and go together.
import { randomUUID } from 'node:crypto';
import type { GrusError } from '@grus/core';
import { within } from '../client/wait.js';
import { newMessage } from '../protocol/message.js';
import { expectSignals, type HeldKernel, register, unregister } from '../registry.js';
import type { Transport, TransportListener } from '../transport.js';
import { createConnectionFile, type OwnConnection } from './connection-file.js';
import { deathOf, diedAtStart, portWasTaken } from './death.js';
import type { Launch } from './launch.js';
import { KernelProcess } from './process.js';
import { Sockets } from './sockets.js';

const shutdownGrace = 2_000;
const termGrace = 500;

interface Incarnation {
  readonly process: KernelProcess;
  readonly files: OwnConnection;
  readonly sockets: Sockets;
  /** True once we ended it ourselves: its exit is no death. */
  dismissed: boolean;
}

export class StartedTransport implements Transport, HeldKernel {
  readonly owned = true;
  readonly label: string;
  session = randomUUID();
  private current!: Incarnation;
  /** Nobody listens in the first moment: nothing has been asked by then, and only an end is kept. */
  private listener: TransportListener | null = null;
  private endedEarly: GrusError | null = null;
  /** Until the handshake is over, an end of the process is a failure to start. */
  private starting = true;
  private closed = false;

  private constructor(private readonly launch: Launch) {
    this.label = `kernel ${launch.name}`;
  }

  static async start(launch: Launch): Promise<StartedTransport> {
    const transport = new StartedTransport(launch);
    await transport.incarnate();
    return transport;
  }

  get connectionFile(): string {
    return this.current.files.path;
  }

  get pid(): number | null {
    return this.current.process.pid ?? null;
  }

  ready(): void {
    this.starting = false;
  }

  listen(listener: TransportListener): void {
    this.listener = listener;
    if (this.endedEarly) listener.died(this.endedEarly);
  }

  send(channel: 'shell' | 'control' | 'stdin', message: Parameters<Sockets['send']>[1]): void {
    this.current.sockets.send(channel, message);
  }

  async interrupt(): Promise<void> {
    if (this.launch.interruptMode === 'message') {
      this.send('control', newMessage(this.session, 'interrupt_request', {}));
    } else {
      this.current.process.signal('SIGINT');
    }
  }

  async restart(): Promise<void> {
    await this.end(this.current, true);
    await this.incarnate();
  }

  async close(): Promise<void> {
    if (!this.closed) {
      this.closed = true;
      await this.end(this.current, false);
      unregister(this);
    }
  }

  killNow(): void {
    this.current.dismissed = true;
    this.current.process.signal('SIGKILL');
    this.current.files.remove();
  }

  private async incarnate(): Promise<void> {
    const files = await createConnectionFile(this.launch.name);
    expectSignals();
    const process = new KernelProcess(this.launch.command(files.path));
    // A kernel whose port was taken reports it, and does not always end then.
    process.onOutput = () => {
      if (this.starting && portWasTaken(process.lastLines())) process.signal('SIGKILL');
    };
    this.session = randomUUID();
    const sockets = new Sockets(files.connection, this.session, (channel, message) =>
      this.listener?.message(channel, message),
    );
    const incarnation: Incarnation = { process, files, sockets, dismissed: false };
    this.current = incarnation;
    register(this);
    void process.exited.then((end) => {
      files.remove();
      sockets.close();
      if (!incarnation.dismissed) {
        unregister(this);
        const explain = this.starting ? diedAtStart : deathOf;
        const error = explain(this.label, this.launch, end, process.lastLines());
        if (this.listener) this.listener.died(error);
        else this.endedEarly = error;
      }
    });
  }

  private async end(incarnation: Incarnation, restart: boolean): Promise<void> {
    const { process, files, sockets } = incarnation;
    incarnation.dismissed = true;
    if (process.running && !this.starting) {
      // A kernel cannot end itself while a cell runs.
      await this.interrupt();
      sockets.send('control', newMessage(this.session, 'shutdown_request', { restart }));
      await sockets.flush();
      await within(process.exited, shutdownGrace);
    }
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      if (process.running) {
        process.signal(signal);
        await within(process.exited, termGrace);
      }
    }
    sockets.close();
    files.remove();
  }
}
