// The process of a kernel that we started: its own process group, so that a Ctrl-C at the terminal does not reach it
// and so that its children end with it; the last lines it wrote, for the report of a death.
import { type ChildProcess, spawn } from 'node:child_process';

const tailLines = 20;
const tailCharacters = 8_000;

export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Set when the program could not be started at all. */
  readonly spawnError?: NodeJS.ErrnoException;
}

export interface LaunchCommand {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

export class KernelProcess {
  readonly exited: Promise<ProcessEnd>;
  /** Called after each piece that the process wrote outside of any cell. */
  onOutput: () => void = () => undefined;
  private readonly child: ChildProcess;
  private tail = '';
  private over = false;

  constructor(command: LaunchCommand) {
    const [program = '', ...args] = command.argv;
    this.child = spawn(program, args, {
      cwd: command.cwd,
      env: command.env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.tail = (this.tail + text).slice(-tailCharacters);
        this.onOutput();
      });
    }
    this.exited = new Promise((resolve) => {
      this.child.once('error', (spawnError) => this.end(resolve, { code: null, signal: null, spawnError }));
      // `close` comes after the last byte of output, but a grandchild may hold the pipes open for long.
      this.child.once('exit', (code, signal) => {
        const finish = () => this.end(resolve, { code, signal });
        this.child.once('close', finish);
        setTimeout(finish, 200).unref();
      });
    });
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  get running(): boolean {
    return !this.over && this.child.exitCode === null && this.child.signalCode === null;
  }

  /** The last lines that the process wrote outside of any cell. */
  lastLines(): string[] {
    return this.tail
      .split('\n')
      .map((line) => line.trimEnd())
      .filter((line) => line !== '')
      .slice(-tailLines);
  }

  /** To the whole group, as a terminal would. */
  signal(signal: NodeJS.Signals): void {
    const { pid } = this.child;
    if (pid === undefined) {
      return;
    }
    try {
      if (process.platform === 'win32') {
        this.child.kill(signal);
      } else {
        process.kill(-pid, signal);
      }
    } catch {
      // Nobody left in the group.
    }
  }

  private end(resolve: (end: ProcessEnd) => void, end: ProcessEnd): void {
    if (!this.over) {
      this.over = true;
      this.signal('SIGKILL');
      this.child.stdout?.destroy();
      this.child.stderr?.destroy();
      resolve(end);
    }
  }
}
