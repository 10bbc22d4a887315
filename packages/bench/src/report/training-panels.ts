// The script of the page that draws the six panels of the run chosen from the list. Plain browser code, kept as text.

export const panelScript = `
const list = document.getElementById('runs'), box = document.getElementById('panels');
runs.forEach((run, index) => { const option = new Option(run.instance + ' (' + (run.subcause || run.category) + ')', index); list.add(option); });
const svg = (name, attributes) => { const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value); return made; };
function draw(run) {
  box.replaceChildren();
  for (const panel of run.panels) {
    const figure = box.appendChild(document.createElement('figure'));
    figure.appendChild(document.createElement('figcaption')).textContent = panel.title;
    const points = panel.curves.flatMap((curve) => curve.points).filter((point) => point[1] !== null);
    if (points.length === 0) { figure.append('not recorded'); continue; }
    const xs = points.map((point) => point[0]), ys = points.map((point) => point[1]);
    const positive = ys.every((y) => y > 0), high = Math.max(...ys), low = Math.min(...ys);
    const log = positive && high / low > 100, scale = (y) => (log ? Math.log10(y) : y);
    const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), scale(low), scale(high)];
    const px = (x) => 40 + (x - x0) / (x1 - x0 || 1) * 340, py = (y) => 170 - (scale(y) - y0) / (y1 - y0 || 1) * 150;
    const chart = figure.appendChild(svg('svg', { viewBox: '0 0 390 190' }));
    const text = (x, y, words) => { chart.appendChild(svg('text', { x, y, class: 'small' })).textContent = words; };
    text(0, 24, Number(high.toPrecision(3))); text(0, 172, Number(low.toPrecision(3))); text(40, 186, x0); text(350, 186, x1);
    if (log) text(190, 12, 'logarithmic');
    panel.curves.forEach((curve, index) => {
      let path = '', broken = true;
      for (const [x, y] of curve.points) { if (y === null) { broken = true; continue; } path += (broken ? 'M' : 'L') + px(x) + ' ' + py(y); broken = false; }
      const line = chart.appendChild(svg('path', { d: path, fill: 'none', stroke: ['#2471a3', '#d68910'][index % 2], 'stroke-width': 1.6 }));
      line.appendChild(svg('title', {})).textContent = curve.label;
    });
    if (run.onset !== null && run.onset >= x0 && run.onset <= x1)
      chart.appendChild(svg('line', { x1: px(run.onset), x2: px(run.onset), y1: 15, y2: 172, stroke: '#c0392b', 'stroke-dasharray': '4 4' }));
  }
}
list.addEventListener('change', () => draw(runs[list.value]));
if (runs.length) draw(runs[0]);`;
