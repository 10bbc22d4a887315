// The figures of the training report as inline SVG: small, without a library, legible in light and dark.

const width = 420;
const height = 260;
const edge = { left: 46, right: 12, top: 14, bottom: 36 };
const colours = [
  '#2471a3',
  '#d68910',
  '#1e8449',
  '#c0392b',
  '#7d3c98',
  '#148f77',
  '#b9770e',
  '#5d6d7e',
  '#a04000',
];

export interface FigurePoint {
  readonly x: number;
  readonly y: number;
  readonly label?: string;
}

export interface FigureLine {
  readonly name: string;
  readonly points: readonly FigurePoint[];
  readonly marks?: boolean;
  readonly joined?: boolean;
  readonly steps?: boolean;
}

export interface Axes {
  readonly x: string;
  readonly y: string;
  readonly from: readonly [x: number, y: number];
  readonly to: readonly [x: number, y: number];
  readonly diagonal?: boolean;
}

export function colourOf(index: number): string {
  return colours[index % colours.length]!;
}

export function lineFigure(lines: readonly FigureLine[], axes: Axes): string {
  const [x0, y0] = axes.from;
  const [x1, y1] = axes.to;
  const px = (x: number): number =>
    edge.left + ((x - x0) / (x1 - x0 || 1)) * (width - edge.left - edge.right);
  const py = (y: number): number =>
    height - edge.bottom - ((y - y0) / (y1 - y0 || 1)) * (height - edge.top - edge.bottom);
  const drawn = lines.map((line, index) => {
    const colour = colourOf(index);
    const path = line.points
      .map(({ x, y }, at) => {
        if (at === 0) return `M${px(x).toFixed(1)} ${py(y).toFixed(1)}`;
        return line.steps
          ? `H${px(x).toFixed(1)}V${py(y).toFixed(1)}`
          : `L${px(x).toFixed(1)} ${py(y).toFixed(1)}`;
      })
      .join('');
    const joined =
      line.joined === false ? '' : `<path d="${path}" fill="none" stroke="${colour}" stroke-width="1.8"/>`;
    const marks = line.marks
      ? line.points.map(
          ({ x, y, label }) =>
            `<circle cx="${px(x).toFixed(1)}" cy="${py(y).toFixed(1)}" r="3.5" fill="${colour}"><title>${escapeHtml(label ?? line.name)}</title></circle>${label ? `<text x="${(px(x) + 5).toFixed(1)}" y="${(py(y) - 5).toFixed(1)}" class="small">${escapeHtml(label)}</text>` : ''}`,
        )
      : [];
    return joined + marks.join('');
  });
  const diagonal = axes.diagonal
    ? `<line x1="${px(x0)}" y1="${py(y0)}" x2="${px(x1)}" y2="${py(y1)}" class="rule" stroke-dasharray="4 4"/>`
    : '';
  return frame(axes, diagonal + drawn.join('')) + legend(lines);
}

export function barFigure(
  bars: readonly { readonly name: string; readonly value: number }[],
  unit: string,
): string {
  const most = Math.max(1e-9, ...bars.map(({ value }) => Math.abs(value)));
  const row = 20;
  const body = bars
    .map(({ name, value }, index) => {
      const length = (Math.max(0, value) / most) * 200;
      const y = index * row + 4;
      return `<text x="205" y="${y + 11}" text-anchor="end" class="small">${escapeHtml(name)}</text><rect x="210" y="${y}" width="${length.toFixed(1)}" height="13" fill="${colourOf(0)}"/><text x="${(215 + length).toFixed(1)}" y="${y + 11}" class="small">${value.toFixed(3)}</text>`;
    })
    .join('');
  return `<svg viewBox="0 0 ${width + 60} ${bars.length * row + 24}" role="img">${body}<text x="210" y="${bars.length * row + 18}" class="small">${escapeHtml(unit)}</text></svg>`;
}

export function matrixFigure(labels: readonly string[], counts: readonly (readonly number[])[]): string {
  const cell = 42;
  const left = 130;
  const rows = counts.map((row, r) => {
    const total = Math.max(
      1,
      row.reduce((sum, value) => sum + value, 0),
    );
    const cells = row.map((value, c) => {
      const colour = r === c ? '30,132,73' : '192,57,43';
      return `<rect x="${left + c * cell}" y="${r * cell}" width="${cell - 2}" height="${cell - 2}" fill="rgba(${colour},${(0.06 + 0.8 * (value / total)).toFixed(2)})"/><text x="${left + c * cell + cell / 2 - 1}" y="${r * cell + cell / 2 + 4}" text-anchor="middle">${value}</text>`;
    });
    return `<text x="${left - 6}" y="${r * cell + cell / 2 + 4}" text-anchor="end" class="small">${escapeHtml(labels[r]!)}</text>${cells.join('')}`;
  });
  const heads = labels.map(
    (label, c) =>
      `<text transform="translate(${left + c * cell + cell / 2},${labels.length * cell + 8}) rotate(35)" class="small">${escapeHtml(label)}</text>`,
  );
  return `<svg viewBox="0 0 ${left + labels.length * cell + 70} ${labels.length * cell + 90}" role="img">${rows.join('')}${heads.join('')}</svg>`;
}

function frame(axes: Axes, body: string): string {
  const ticks = Array.from({ length: 6 }, (_, index) => index / 5);
  const [x0, y0] = axes.from;
  const [x1, y1] = axes.to;
  const bottom = height - edge.bottom;
  const grid = ticks.map((share) => {
    const x = edge.left + share * (width - edge.left - edge.right);
    const y = bottom - share * (bottom - edge.top);
    return `<line x1="${edge.left}" x2="${width - edge.right}" y1="${y}" y2="${y}" class="rule"/><text x="${edge.left - 4}" y="${y + 4}" text-anchor="end" class="small">${short(y0 + share * (y1 - y0))}</text><text x="${x}" y="${bottom + 13}" text-anchor="middle" class="small">${short(x0 + share * (x1 - x0))}</text>`;
  });
  return `<svg viewBox="0 0 ${width} ${height}" role="img">${grid.join('')}${body}<text x="${width / 2}" y="${height - 6}" text-anchor="middle" class="small">${escapeHtml(axes.x)}</text><text transform="translate(11,${height / 2}) rotate(-90)" text-anchor="middle" class="small">${escapeHtml(axes.y)}</text></svg>`;
}

function legend(lines: readonly FigureLine[]): string {
  if (lines.length < 2) return '';
  return `<p class="legend">${lines.map(({ name }, index) => `<span style="color:${colourOf(index)}">■</span> ${escapeHtml(name)}`).join(' &nbsp; ')}</p>`;
}

function short(value: number): string {
  return String(Number(value.toPrecision(3)));
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
