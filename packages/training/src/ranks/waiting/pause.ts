// Stacks show one moment, and say nothing of when it was. Somebody may have looked while the ranks waited at a barrier for work of the first
// one, as they do in every round of a sound run.
import type { RunView } from '../../features/view.js';
import { messageIn } from '../../readers/console/parts/logger-front.js';
import type { Standing } from '../present/stacks.js';

const fewestRounds = 2;

/**
 * The others stand at a barrier, as they did before while this rank said what it did alone; but the logs end behind that, all ranks with
 * one sentence that each has said as often as the others, and nobody complains.
 */
export function wasPause(view: RunView, standing: readonly Standing[], busy: readonly Standing[]): boolean {
  const [{ rank = null } = {}, ...more] = busy;
  const waiting = standing.filter((process) => !busy.includes(process));
  const areAtBarrier = waiting.every(({ stack }) =>
    stack.frames.some(({ function: name }) => /barrier/.test(name)),
  );
  if (rank === null || more.length > 0 || !areAtBarrier) return false;
  if (view.failures.length > 0 || view.record.device.some(({ kind }) => kind === 'collective_timeout'))
    return false;
  const own = saidBy(view, rank);
  const others = waiting.map((process) => saidBy(view, process.rank));
  const last = own.at(-1);
  const rounds = timesIn(own, last);
  if (last === undefined || rounds < fewestRounds) return false;
  if (others.some((words) => words.at(-1) !== last || timesIn(words, last) !== rounds)) return false;
  const spoken = new Set(others.flat());
  return own.some((words) => !spoken.has(words) && timesIn(own, words) >= rounds);
}

/** What the lines of a rank say, without the numbers. */
function saidBy({ lines }: RunView, wanted: number | null): readonly string[] {
  return lines.flatMap(({ rank, text }) => {
    const words =
      rank === wanted
        ? messageIn(text)
            .replace(/[-+.\d]*\d/g, '#')
            .trim()
        : '';
    return words === '' ? [] : [words];
  });
}

function timesIn(said: readonly string[], words: string | undefined): number {
  return said.filter((other) => other === words).length;
}
