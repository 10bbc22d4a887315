// Findings outlive a reload of the page: the tab keeps them, and shows those of cells that are still as they were.
import type { INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';
import type { Report, Reports } from './reports.js';

type Fate = Report['fate'];

interface Kept extends Omit<Report, 'answer' | 'outdated'> {
  readonly source: string;
}

/** What nobody waits for an answer to any more was not run. */
const fates: Readonly<Record<Fate, Fate | null>> = {
  held: 'left',
  blocked: 'left',
  interrupted: 'left',
  left: 'left',
  ran: 'ran',
  checked: 'checked',
  // Whether the cell still runs is not known.
  foreseen: null,
};

/** `outdated`: what is said of findings from before. */
export function keepReports(tracker: INotebookTracker, reports: Reports, outdated: string): void {
  const follow = (panel: NotebookPanel) => {
    void panel.context.ready.then(() => restore(panel, reports, outdated));
  };
  tracker.widgetAdded.connect((_, panel) => follow(panel));
  tracker.forEach(follow);
  reports.changed.connect((_, { notebook }) => {
    const panel = tracker.find(({ content }) => content.model === notebook);
    if (panel) keep(panel, reports);
  });
}

const keyOf = ({ context }: NotebookPanel) => `grus:reports:${context.path}`;

function sources({ content }: NotebookPanel): Map<string, string> {
  return new Map(
    [...(content.model?.cells ?? [])].map(({ id, sharedModel }) => [id, sharedModel.getSource()]),
  );
}

function keep(panel: NotebookPanel, reports: Reports): void {
  const { model } = panel.content;
  if (model === null) return;
  const texts = sources(panel);
  const kept = reports.all(model).flatMap(({ answer: _, outdated: __, ...report }): Kept[] => {
    const fate = fates[report.fate];
    return fate === null ? [] : [{ ...report, fate, source: texts.get(report.cellId) ?? '' }];
  });
  try {
    sessionStorage.setItem(keyOf(panel), JSON.stringify(kept));
  } catch {
    // The tab's memory is full or switched off.
  }
}

function restore(panel: NotebookPanel, reports: Reports, outdated: string): void {
  const { model } = panel.content;
  if (model === null || reports.all(model).length > 0) return;
  const texts = sources(panel);
  for (const { source, ...report } of read(keyOf(panel)))
    if (texts.get(report.cellId) === source) reports.set(model, { ...report, answer: null, outdated });
}

function read(key: string): Kept[] {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '[]') as Kept[];
  } catch {
    return [];
  }
}
