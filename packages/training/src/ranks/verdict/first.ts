// Where it began. Causes come before consequences: of the events of a run those of the earliest kind decide. Clocks decide nothing here.
import type { RunView } from '../../features/view.js';
import type { RunRecord, TextLine, Where } from '../../record/run-record.js';
import type { Standstill } from '../dumps/standstill.js';
import { mayOwn, namesDevice, processOf, suspectAmong } from '../lost/owner.js';
import { caseOf, type Happened, kinds, type Place, unnumbered } from './events.js';

export interface FirstRank {
  readonly rank: number;
  readonly host: string | null;
  readonly device: number | null;
  readonly step: number | null;
  /** The line of the user's code, where it is known. */
  readonly file: string | null;
  readonly line: number | null;
}

/** Null where nothing happened to a rank, and where nothing settles to which. */
export function firstOf(view: RunView, still: Standstill | null): FirstRank | null {
  const { record, ending } = view;
  const of = caseOf(view, still);
  for (const { endsRun, sources } of kinds) {
    if (endsRun && ending.kind === 'completed') continue;
    for (const source of sources) {
      const told = source(of);
      if (told === null) continue;
      const {
        ranks,
        place = null,
        step = null,
      }: Happened = typeof told === 'number' ? { ranks: [told] } : told;
      return ranks.length === 1 ? firstAt(record, ranks[0]!, place, step) : null;
    }
  }
  return null;
}

function firstAt(record: RunRecord, rank: number, place: Place, step: number | null): FirstRank {
  const seat = record.seats.find((entry) => entry.rank === rank);
  return {
    rank,
    host: seat?.host ?? null,
    device: seat?.device ?? null,
    step,
    file: place?.file ?? null,
    line: place?.line ?? null,
  };
}

/**
 * Where nothing else tells who was first, the line that shows a fault of a machine does: the rank that it is of, or one of the host that it
 * is of. Null where another rank or host says the same.
 */
export function firstByEvidence(view: RunView, { file, line }: Where): FirstRank | null {
  const { record, lines } = view;
  const told = lines.find(({ at }) => at.file === file && at.line === line);
  if (view.ending.kind === 'completed' || told === undefined) return null;
  const whose = (of: TextLine): number | null =>
    of.rank ?? suspectAmong(view, [mayOwn(record, of)], !namesDevice(of) && processOf(of.text) === null);
  const rank = whose(told);
  const alike = lines.filter((other) => unnumbered(other.text) === unnumbered(told.text));
  const isAlone = alike.every((other) => whose(other) === rank);
  return rank === null || !isAlone ? null : firstAt(record, rank, null, told.step);
}
