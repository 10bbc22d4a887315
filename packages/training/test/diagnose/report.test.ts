// The report as people see it: whole, narrow, without colour, and as a page that carries everything it needs.
import { describe, expect, it } from 'vitest';
import { diagnoseRecord } from '../../src/diagnose/diagnose.js';
import { renderHtml } from '../../src/diagnose/html.js';
import { renderReport } from '../../src/diagnose/report.js';
import { rows, runOf } from '../run-files.js';

const schedule = () =>
  runOf({
    'train.log': "Namespace(lr=0.01, optimizer='sgd', batch_size=32)\n",
    'metrics.jsonl': rows(120, (s) => ({
      loss: s < 80 ? 0.4 + 2 * Math.exp(-s / 20) : 0.4 + 0.3 * (s - 79),
      val_loss: s < 80 ? 0.5 + 2 * Math.exp(-s / 20) : 0.5 + 0.3 * (s - 79),
      lr: s < 78 ? 0.01 : 0.6,
      grad_norm: s < 80 ? 1.2 : 1.2 * (s - 78),
      accuracy: s < 80 ? 1 - Math.exp(-s / 20) : 0.3,
      memory_allocated: 6e9,
      step_time: 0.2,
    })),
  });

describe('the terminal report', () => {
  it('reads as one page', async () => {
    const record = await schedule();
    const diagnosis = { ...diagnoseRecord(record), path: 'run' };
    expect(renderReport(diagnosis, record, { width: 80 })).toMatchSnapshot();
  });

  it.each([40, 60, 100])('keeps within %i columns', async (width) => {
    const record = await schedule();
    const report = renderReport(diagnoseRecord(record), record, { width });
    for (const line of report.split('\n')) expect(line.length).toBeLessThanOrEqual(width);
  });

  it('writes escapes only when colour is asked for, and never those of a log', async () => {
    const record = await runOf({
      'train.log':
        'Traceback (most recent call last):\n  File "a.py", line 1, in f\n    g()\nValueError: \u001b[31mred\u001b[0m \u0007bell\n',
    });
    const diagnosis = diagnoseRecord(record);
    expect(renderReport(diagnosis, record)).not.toContain('\u001b');
    expect(renderReport(diagnosis, record, { color: true })).toContain('\u001b[1m');
    expect(renderReport(diagnosis, record, { color: true })).not.toContain('\u0007');
  });
});

describe('the page', () => {
  it('is self-contained, escaped and runnable', async () => {
    const record = await runOf({
      'train.log':
        'Traceback (most recent call last):\n  File "a.py", line 1, in f\n    g()\nValueError: <script>alert(1)</script>\n',
      'metrics.jsonl': rows(20, (s) => ({ loss: 1 / s })),
    });
    const page = renderHtml(diagnoseRecord(record), record);
    expect(page).not.toContain('<script>alert');
    expect(page).not.toMatch(/(src|href)="?https?:/);
    const scripts = [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map((match) => match[1]!);
    expect(scripts).toHaveLength(2);
    for (const script of scripts) expect(() => new Function(script)).not.toThrow();
    expect(scripts[1]).toContain('"title":"loss"');
  });

  it('draws by the logarithm where the terminal does, and says what is NaN', async () => {
    const record = await runOf({
      'metrics.jsonl': rows(40, (s) => ({ loss: s < 38 ? 10 ** (s / 5) : Number.NaN, lr: 0.1 })),
    });
    const diagnosis = diagnoseRecord(record);
    expect(renderReport(diagnosis, record)).toContain('loss, log');
    const page = renderHtml(diagnosis, record);
    expect(page).toContain('"title":"loss, log, NaN","log":true');
    expect(page).toContain('"title":"learning rate","log":false');
  });
});
