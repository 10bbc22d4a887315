// The script that draws the charts of the page: it runs in the reader's browser, with the chart library and `run` before it. Colours come
// from the style sheet, so that dark mode is whole; the room of an axis follows its labels, so that none is cut.

export const chartScript = `
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const short = (value) => {
  if (value === null || value === 0) return value === 0 ? '0' : '';
  const size = Math.abs(value);
  return size >= 1e5 || size < 1e-3 ? value.toExponential().replace(/(\\.\\d\\d)\\d+/, '$1') : String(Number(value.toPrecision(4)));
};
const room = (plot, labels) => 26 + Math.max(0, ...(labels ?? []).map((label) => String(label ?? '').length)) * 7.5;
// Of a logarithmic axis only powers of ten are drawn, and no more of them than can be read.
const powers = (plot, ticks) => {
  const exponents = ticks.map((tick) => (tick > 0 ? Math.log10(tick) : Number.NaN));
  const whole = exponents.filter((exponent) => Math.abs(exponent - Math.round(exponent)) < 1e-9);
  const stride = Math.ceil((Math.max(...whole) - Math.min(...whole) + 1) / 7);
  return ticks.map((tick, i) => (Math.abs(exponents[i] - Math.round(exponents[i])) < 1e-9 && Math.round(exponents[i]) % stride === 0 ? tick : null));
};
const axis = (extra, filter) => {
  const lines = { stroke: () => colour('--grid'), ...(filter ? { filter } : {}) };
  return { stroke: () => colour('--ink'), grid: lines, ticks: lines, ...(filter ? { filter } : {}), ...extra };
};
const markOnset = { hooks: { draw: [(plot) => {
  if (run.onset === null) return;
  const x = plot.valToPos(run.onset, 'x', true);
  if (x < plot.bbox.left || x > plot.bbox.left + plot.bbox.width) return;
  plot.ctx.save(); plot.ctx.strokeStyle = colour('--onset'); plot.ctx.setLineDash([4, 4]); plot.ctx.beginPath();
  plot.ctx.moveTo(x, plot.bbox.top); plot.ctx.lineTo(x, plot.bbox.top + plot.bbox.height); plot.ctx.stroke(); plot.ctx.restore();
}] } };
const together = uPlot.sync('run');
let plots = [];
const draw = () => {
  for (const { plot } of plots) plot.destroy();
  const boxes = run.panels.map(() => document.getElementById('panels').appendChild(document.createElement('div')));
  plots = run.panels.map((panel, at) => {
    const box = boxes[at];
    const names = ['--first', '--second'];
    const plot = new uPlot({
      title: panel.title, width: Math.max(240, box.clientWidth), height: 230, cursor: { sync: { key: together.key } }, plugins: [markOnset],
      scales: { x: { time: false }, y: panel.log ? { distr: 3 } : {} },
      axes: [axis({ space: 60, values: (_, ticks) => ticks.map(short) }), axis({ size: room, values: (_, ticks) => ticks.map(short) }, panel.log ? powers : undefined)],
      series: [{ label: 'step' }, ...panel.labels.map((label, i) => ({ label, stroke: () => colour(names[i % 2]), spanGaps: true,
        points: { show: panel.data[0].length < 20 }, value: (_, value) => short(value) }))],
    }, panel.data, box);
    return { plot, box };
  });
};
draw();
addEventListener('resize', () => plots.forEach(({ plot, box }) => plot.setSize({ width: Math.max(240, box.clientWidth), height: 230 })));
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => plots.forEach(({ plot }) => plot.redraw(false, true)));
`;
