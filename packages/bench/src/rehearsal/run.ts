// The benchmark of rehearsals: crashes behind at least half an hour of training, sound notebooks that lean on what a whole run
// leaves behind, and nbmake on the same notebooks with a limit for each cell, because nobody can wait for the whole runs.
import { z } from 'zod';
import { inParallel } from '../live/workers.js';
import { given } from './command.js';
import { type LongNotebook, readLongNotebooks } from './notebooks.js';
import { type Truth, truthOf } from './truth.js';

const reportSchema = z.object({
  notebooks: z.tuple([
    z.object({
      cells: z.array(
        z.object({
          cell: z.number(),
          outcome: z.string(),
          rung: z.string().nullable(),
          exception: z.object({ type: z.string(), message: z.string() }).nullable(),
          rungs: z.array(z.object({ abstained_because: z.string().nullable() })),
        }),
      ),
      not_judged: z.array(z.object({ cell: z.number(), because: z.string() })),
      problem: z.string().nullable(),
    }),
  ]),
});

export interface Rehearsed {
  readonly id: string;
  readonly crashing: boolean;
  readonly seconds: number;
  /** The crash at its cell with its exception. */
  readonly found: boolean;
  /** Crashes that were told and do not come. */
  readonly alarms: readonly string[];
  /** Cells that were not judged, and why. */
  readonly unjudged: readonly string[];
  /** Of a crash that was not found: what the last rung said of its cell. */
  readonly missed: string | null;
  readonly problem: string | null;
  /** By count of steps; null where it was not measured. */
  readonly minutes: number | null;
  readonly nbmake: { readonly seconds: number; readonly found: boolean } | null;
}

export interface RehearsalReport {
  readonly benchmark: 'rehearsal';
  readonly truth: readonly Truth[] | null;
  readonly nbmakeLimit: number | null;
  readonly notebooks: readonly Rehearsed[];
}

export interface RehearsalOptions {
  /** The file that Node runs as `grus`. */
  readonly entry: string;
  readonly python: string;
  readonly data: string;
  readonly only?: readonly string[];
  readonly workers: number;
  /** Prove first what the notebooks claim. */
  readonly verify: boolean;
  /** Also give the crashing ones to nbmake, with so many seconds for a cell; 0: not at all. */
  readonly nbmake: number;
  /** Called with each notebook as it is done. */
  readonly onRehearsed?: (one: Rehearsed) => void;
  readonly progress?: (text: string) => void;
}

export async function runRehearsal(options: RehearsalOptions): Promise<RehearsalReport> {
  const { data, only, workers, python, progress } = options;
  const all = readLongNotebooks(data);
  const notebooks = only ? all.filter(({ id }) => only.some((text) => id.includes(text))) : all;
  let done = 0;
  const tell = (doing: string, id: string) => progress?.(`${doing} ${++done} of ${notebooks.length}: ${id}`);
  const truth = options.verify
    ? await inParallel(notebooks, workers, async (notebook) => {
        tell('proving', notebook.id);
        return truthOf(notebook, python);
      })
    : null;
  done = 0;
  return {
    benchmark: 'rehearsal',
    truth,
    nbmakeLimit: options.nbmake === 0 ? null : options.nbmake,
    notebooks: await inParallel(notebooks, workers, async (notebook) => {
      tell('rehearsing', notebook.id);
      const one = {
        ...(await rehearse(notebook, options)),
        minutes: truth?.find(({ id }) => id === notebook.id)?.minutes ?? null,
        nbmake: notebook.crash && options.nbmake > 0 ? await byNbmake(notebook, options) : null,
      };
      options.onRehearsed?.(one);
      return one;
    }),
  };
}

async function rehearse(notebook: LongNotebook, { entry, python }: RehearsalOptions) {
  const { id, crash } = notebook;
  const { text, seconds } = await given(notebook, 'grus.json', (file) => [
    ...[process.execPath, entry, 'check', file, '--rehearse', '--python', python],
    ...['--settings', 'none', '--format', 'json=grus.json'],
  ]);
  const [{ cells, not_judged, problem }] = reportSchema.parse(JSON.parse(text)).notebooks;
  const told = cells.filter(({ outcome }) => outcome === 'crash');
  const isIt = ({ cell, exception }: (typeof told)[number]) =>
    cell === crash?.cell && exception?.type === crash.exception;
  return {
    ...{ id, crashing: crash !== null, seconds, problem },
    found: told.some(isIt),
    missed: cells.find(({ cell }) => cell === crash?.cell)?.rungs.at(-1)?.abstained_because ?? null,
    alarms: told
      .filter((one) => !isIt(one))
      .map(
        ({ cell, rung, exception }) => `cell ${cell}: ${exception?.type}: ${exception?.message} (${rung})`,
      ),
    unjudged: not_judged.map(({ cell, because }) => `cell ${cell}: ${because}`),
  };
}

async function byNbmake(notebook: LongNotebook, { python, nbmake }: RehearsalOptions) {
  const { text, seconds } = await given(notebook, 'nbmake.xml', (file) => [
    ...[python, '-m', 'pytest', '-q', '-p', 'no:cacheprovider', '--junitxml=nbmake.xml'],
    ...['--nbmake', `--nbmake-timeout=${nbmake}`, file],
  ]);
  return { seconds, found: text.includes(notebook.crash!.exception) };
}
