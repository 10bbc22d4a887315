// The report of the rehearsal benchmark for terminals.
import type { RehearsalReport, Rehearsed } from '../rehearsal/run.js';
import { quantile } from '../statistics/index.js';
import { renderTable } from './table.js';

/** A crash that is found later than this is not found in time. */
const inTime = 60;

export function renderRehearsal({ truth, nbmakeLimit, notebooks }: RehearsalReport): string {
  const crashing = notebooks.filter((one) => one.crashing);
  const sound = notebooks.filter((one) => !one.crashing);
  const found = crashing.filter((one) => one.found);
  const rows = notebooks.map((one) => [
    one.id,
    one.minutes === null ? '' : one.minutes.toFixed(0),
    one.seconds.toFixed(1),
    one.crashing ? (one.found ? 'found' : 'missed') : one.alarms.length > 0 ? 'alarm' : 'silent',
    one.nbmake === null ? '' : `${one.nbmake.found ? 'found' : 'cut'} ${one.nbmake.seconds.toFixed(1)}`,
  ]);
  return [
    renderTable(['notebook', 'minutes', 'grus s', 'told', 'nbmake s'], rows),
    [
      `Crashes found: ${found.length} of ${crashing.length}, ${found.filter(({ seconds }) => seconds <= inTime).length} of them within ${inTime} s${middle(found)}.`,
      `False alarms: ${notebooks.flatMap(({ alarms }) => alarms).length}; sound notebooks with one: ${sound.filter(({ alarms }) => alarms.length > 0).length} of ${sound.length}${middle(sound)}.`,
      ...(truth === null ? [] : [truthLine(truth)]),
      ...(nbmakeLimit === null ? [] : besideNbmake(crashing, nbmakeLimit)),
    ].join('\n'),
    ...notebooks.flatMap(({ id, alarms, problem, crashing: bad, found: is, unjudged, missed }) => [
      ...alarms.map((alarm) => `  alarm   ${id}, ${alarm}`),
      ...(problem === null ? [] : [`  problem ${id}: ${problem}`]),
      ...(bad && !is
        ? (missed === null ? unjudged : [missed]).map((text) => `  missed  ${id}, ${text}`)
        : []),
    ]),
  ].join('\n\n');
}

function middle(rehearsed: readonly Rehearsed[]): string {
  const times = rehearsed.map(({ seconds }) => seconds);
  const [median, most] = [quantile(times, 0.5), quantile(times, 1)];
  return median === null || most === null
    ? ''
    : ` (median ${median.toFixed(1)} s, most ${most.toFixed(1)} s)`;
}

function truthLine(truth: NonNullable<RehearsalReport['truth']>): string {
  const wrong = truth.filter(({ problem }) => problem !== null);
  const crashing = truth.filter(({ id }) => id.endsWith('/crashing')).map(({ minutes }) => minutes);
  return [
    `By execution with few steps ${truth.length - wrong.length} of ${truth.length} are what they claim; the crashing ones train for at least ${Math.min(...crashing).toFixed(0)} minutes by count of steps.`,
    ...wrong.map(({ id, problem }) => `  wrong   ${id}: ${problem}`),
  ].join('\n');
}

/** nbmake has to run what it judges: with a limit it sees nothing, and without one it takes as long as the training. */
function besideNbmake(crashing: readonly Rehearsed[], limit: number): string[] {
  const tried = crashing.filter(({ nbmake }) => nbmake !== null);
  const found = tried.filter(({ nbmake }) => nbmake!.found);
  const ratios = tried.flatMap(({ minutes, seconds, found: told }) =>
    told && minutes !== null ? [(minutes * 60) / seconds] : [],
  );
  const ratio = quantile(ratios, 0.5);
  return [
    `nbmake with ${limit} s for each cell finds ${found.length} of ${tried.length}; the others end at the limit.`,
    ...(ratio === null
      ? []
      : [
          `Waiting for the training alone, by count of steps, would take ${ratio.toFixed(0)} times as long as the rehearsal (median; nothing was run that long).`,
        ]),
  ];
}
