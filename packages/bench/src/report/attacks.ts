// The report of the attacks for terminals: tries and escapes per kind and strength, then the healthy cells.
import type { AttackReport } from '../attacks/report.js';
import { places } from '../attacks/run.js';
import { renderTable } from './table.js';

export function renderAttacks({ tried, escapes, healthy, falseAlarms, falseProofs }: AttackReport): string {
  const users = [...new Set(tried.map(({ user }) => user))];
  const columns = users.flatMap((user) => places.map((place) => ({ user, place })));
  const kinds = [...new Set(tried.map(({ kind }) => kind))];
  const cell = (kind: string | null, { user, place }: (typeof columns)[number]) => {
    const found = tried.filter(
      (row) => (kind === null || row.kind === kind) && row.user === user && row.place === place,
    );
    return `${total(found, 'escapes')} of ${total(found, 'tries')}`;
  };
  const attacks = renderTable(
    ['attacks that escaped', ...columns.map(({ user, place }) => `${user}: ${place}`)],
    [...kinds, null].map((kind) => [kind ?? 'all', ...columns.map((column) => cell(kind, column))]),
  );
  const strengths = [...new Set(healthy.map(({ isolation }) => isolation))];
  const judged = renderTable(
    ['healthy cells', 'cells', 'false alarms', 'false proofs', 'decided'],
    strengths.map((strength) => {
      const here = healthy.filter(({ isolation }) => isolation === strength);
      const among = (found: AttackReport['healthy']) =>
        String(here.filter((one) => found.includes(one)).length);
      const decided = here.filter(({ claim }) => claim !== 'unknown').length;
      return [strength, String(here.length), among(falseAlarms), among(falseProofs), String(decided)];
    }),
  );
  return [
    attacks,
    ...escapes.map((one) => `${one.user}, ${one.place}: ${one.kind}, ${one.attack}: ${one.what.join('; ')}`),
    judged,
    ...[...falseAlarms, ...falseProofs].map(
      (one) => `${one.isolation}: ${one.kind}, ${one.cell}: the copy said "${one.said}", really ${one.truth}`,
    ),
  ].join('\n\n');
}

function total(rows: AttackReport['tried'], field: 'tries' | 'escapes'): number {
  return rows.reduce((sum, row) => sum + row[field], 0);
}
