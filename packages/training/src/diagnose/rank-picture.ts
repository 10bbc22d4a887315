// Ranks over time, drawn: a lane for ranks that fared alike, how long they worked, and how long they waited then.

import { folded } from '../ranks/present/rank-words.js';
import type { Lane } from '../ranks/verdict/picture.js';

const words: Readonly<Record<Lane['state'], string>> = {
  first: 'it began here',
  behind: 'waited for',
  waits: 'waiting',
  ended: '',
  gone: 'left nothing',
};

/** The last quarter stands for the time after the last call of all. */
const working = 0.75;
const labelWidth = 16;

/** For terminals: `█` works, `░` waits, `×` stops. */
export function drawLanes(lanes: readonly Lane[], width: number): string[] {
  const bar = Math.max(16, Math.min(48, width - labelWidth - 18));
  return lanes.map(({ ranks, state, until }) => {
    const worked = state === 'gone' ? 0 : Math.max(1, Math.round(until * working * bar));
    const rest = state === 'waits' ? '░'.repeat(bar - worked) : state === 'ended' ? '' : '×';
    const label = nameOf(ranks, labelWidth).padEnd(labelWidth);
    return `${label} ${('█'.repeat(worked) + rest).padEnd(bar)} ${words[state]}`.trimEnd();
  });
}

/** For a page. Every lane has the same height, however many ranks share it. */
export function lanesSvg(lanes: readonly Lane[]): string {
  if (lanes.length === 0) return '';
  const [left, wide, high] = [170, 560, 22];
  const rows = lanes.map(({ ranks, state, until }, row) => {
    const y = row * high;
    const worked = state === 'gone' ? 0 : Math.max(2, until * working * wide);
    const bars = [
      `<rect class="works" x="${left}" y="${y + 4}" width="${worked.toFixed(1)}" height="14"/>`,
      state === 'waits'
        ? `<rect class="waits" x="${(left + worked).toFixed(1)}" y="${y + 4}" width="${(wide - worked).toFixed(1)}" height="14"/>`
        : '',
      state === 'ended'
        ? ''
        : `<text x="${(left + (state === 'waits' ? wide : worked) + 8).toFixed(1)}" y="${y + 15}">${words[state]}</text>`,
    ];
    return `<g class="${state}"><text x="0" y="${y + 15}">${nameOf(ranks, 24)}</text>${bars.join('')}</g>`;
  });
  return `<svg class="lanes" viewBox="0 0 860 ${lanes.length * high}" role="img" aria-label="ranks over time">${rows.join('')}</svg>`;
}

function nameOf(ranks: readonly number[], width: number): string {
  const text = `${ranks.length === 1 ? 'rank' : 'ranks'} ${folded(ranks)}`;
  return text.length > width ? `${ranks.length} ranks` : text;
}
