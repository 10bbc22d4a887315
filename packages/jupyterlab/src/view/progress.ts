// Something that takes its time says so, and can be cancelled.
import { Notification } from '@jupyterlab/apputils';

export interface Shown {
  readonly text: string;
  /** What the button says. */
  readonly stop: string;
  readonly cancel: AbortController;
}

/** Before that nobody wonders. */
const soonMs = 800;

export async function withProgress(shown: Shown, work: () => Promise<void>): Promise<void> {
  let id: string | null = null;
  const timer = setTimeout(() => {
    const actions = [{ label: shown.stop, callback: () => shown.cancel.abort() }];
    id = Notification.emit(shown.text, 'in-progress', { autoClose: false, actions });
  }, soonMs);
  try {
    await work();
  } finally {
    clearTimeout(timer);
    if (id !== null) Notification.dismiss(id);
  }
}
