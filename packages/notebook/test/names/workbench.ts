// One real kernel in an empty folder that is brought back to its first state between cases.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Verdict } from '@grus/core';
import { type Kernel, startKernel } from '@grus/kernel';
import { type CheckOptions, checkCell } from '../../src/ladder/check-cell.js';
import type { CellHistory } from '../../src/session/cells.js';

const python =
  process.env['GRUS_PYTHON'] ?? fileURLToPath(new URL('../../../../.venv/bin/python', import.meta.url));

const reset = `
import builtins, importlib, os, shutil, sys
names = ip.user_ns
if not hasattr(sys, "_first_state"):
    sys._first_state = (dict(names), set(vars(builtins)), list(sys.path), os.getcwd())
    # Nobody reads the traceback, and to draw one takes longer than most cells.
    ip.InteractiveTB.set_mode("Minimal")
first_names, first_builtins, first_path, folder = sys._first_state
for name in list(names):
    if name not in first_names:
        del names[name]
names.update(first_names)
for name in set(vars(builtins)) - first_builtins:
    delattr(builtins, name)
sys.path[:] = first_path
os.chdir(folder)
for entry in os.listdir(folder):
    path = os.path.join(folder, entry)
    shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)
for name, module in list(sys.modules.items()):
    if str(getattr(module, "__file__", "") or "").startswith(folder):
        del sys.modules[name]
importlib.invalidate_caches()
`;

/** The line of the cell at which the last exception surfaced. */
const lastLine = `
import sys
error, trace, line, timed, inside = sys.last_value, sys.last_traceback, None, None, True
while trace is not None:
    file = trace.tb_frame.f_code.co_filename
    is_class_body = not trace.tb_frame.f_code.co_flags & 1
    if "ipykernel_" in file and (line is None or (inside and is_class_body)):
        line, inside = trace.tb_lineno, is_class_body
    if file in ("<timed exec>", "<timed eval>"):
        timed = trace.tb_lineno + 1
    trace = trace.tb_next
if isinstance(error, SyntaxError) and (line is None or error.filename != "<unknown>"):
    line = error.lineno
sys._last_line = timed or line
# IPython adds the file and the line to what Python says of the syntax.
sys._last_message = error.msg if isinstance(error, SyntaxError) else str(error)
`;

export interface Executed {
  readonly error: string | null;
  readonly message: string | null;
  readonly line: number | null;
}

/** Budgets that no test machine exhausts: what is judged must not depend on its load. */
const unhurried = { budgetMs: 60_000, busyBudgetMs: 60_000, inquiryMs: 60_000 };

/** A JSON text as Python's `repr` shows it. */
function textOf(repr: string): string {
  return JSON.parse(repr.slice(1, -1).replaceAll("\\'", "'").replaceAll('\\\\', '\\')) as string;
}

/** The predicted message, in which `…` stands for what is not known, and so does a time of day that a library writes. */
export function asTold({ exception }: Verdict): RegExp {
  const parts = (exception?.message ?? '')
    .split(/…|\d\d:\d\d:\d\d/)
    .map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('[\\s\\S]*')}$`);
}

/** The quick tests run without the larger libraries: what needs one of them is left out. */
export class LeftOut extends Error {}

function isLeftOut(error: string, expected?: string): boolean {
  // pandas calls it an ImportError where a library that it reads a format with is missing.
  return (
    process.env['GRUS_TESTS'] === 'quick' &&
    (error === 'ModuleNotFoundError' || error === 'ImportError') &&
    error !== expected
  );
}

/** Runs a test body; one that needs a library the quick tests lack is skipped. */
export async function unlessLeftOut(skip: () => void, body: () => Promise<void>): Promise<void> {
  try {
    await body();
  } catch (error) {
    if (!(error instanceof LeftOut)) throw error;
    skip();
  }
}

export class Workbench {
  private constructor(
    private readonly kernel: Kernel,
    private readonly folder: string,
    private readonly mayLack: readonly string[],
  ) {}

  /** `mayLack` names libraries without which a test is left out. */
  static async open({ mayLack = [] }: { mayLack?: readonly string[] } = {}): Promise<Workbench> {
    const folder = await mkdtemp(join(tmpdir(), 'grus-names-'));
    const kernel = await startKernel({ python, cwd: folder });
    const bench = new Workbench(kernel, folder, mayLack);
    await bench.reset();
    return bench;
  }

  async close(): Promise<void> {
    await this.kernel.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Text without what differs between two runs: the folder, and how many cells were run before. */
  neutral(text: string): string {
    return text.replaceAll(this.folder, '/home/me/project').replace(/cell \[\d+\]/g, 'cell [1]');
  }

  reset(): Promise<void> {
    return this.hidden(reset);
  }

  async setUp(source: string): Promise<void> {
    if (source === '') return;
    const { error } = await this.kernel.execute(source);
    if (error && (isLeftOut(error.ename) || this.mayLack.some((name) => error.evalue.includes(`'${name}'`))))
      throw new LeftOut(error.evalue);
    if (error) throw new Error(`set-up failed: ${error.ename}: ${error.evalue}`);
  }

  /** Runs the cells of a notebook in order, but for those that are marked, and tells what became of them. */
  async run(cells: readonly Pick<CellHistory, 'source' | 'status'>[]): Promise<CellHistory[]> {
    let count = 0;
    const history: CellHistory[] = [];
    for (const [index, { source, status }] of cells.entries()) {
      if (status === 'ok') await this.setUp(source);
      if (status === 'failed') await this.kernel.execute(source);
      const executionCount = status === 'not-run' ? null : ++count;
      history.push({ number: index + 1, source, status, executionCount });
    }
    return history;
  }

  check(source: string, cells: readonly CellHistory[], options: CheckOptions = {}): Promise<Verdict> {
    return checkCell(
      { kernel: this.kernel, source, metadata: {}, number: cells.length + 1, cells },
      { ...unhurried, ...options },
    );
  }

  /** `expected` is the exception that the cell is written to raise. */
  async execute(source: string, expected?: string): Promise<Executed> {
    const { error } = await this.kernel.execute(source);
    if (!error) return { error: null, message: null, line: null };
    if (isLeftOut(error.ename, expected)) throw new LeftOut(error.evalue);
    await this.hidden(lastLine);
    const { userExpressions } = await this.kernel.execute('', {
      silent: true,
      userExpressions: {
        line: '__import__("sys")._last_line',
        message: '__import__("json").dumps(__import__("sys")._last_message)',
      },
    });
    const shown = (name: string) =>
      (userExpressions[name] as { data?: Record<string, string> } | undefined)?.data?.['text/plain'] ?? '';
    return { error: error.ename, message: textOf(shown('message')), line: Number(shown('line')) };
  }

  /** Runs code that leaves no trace in the user's namespace. */
  private async hidden(code: string): Promise<void> {
    const builtins = '__import__("builtins")';
    const { error } = await this.kernel.execute(
      `${builtins}.exec(${JSON.stringify(code)}, {"ip": ${builtins}.__dict__["get_ipython"]()})`,
      { silent: true },
    );
    if (error) throw new Error(`${error.ename}: ${error.evalue}`);
  }
}
