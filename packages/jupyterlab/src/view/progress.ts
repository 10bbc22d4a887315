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

/** `work` is given a function that says how far it is. */
export async function withProgress(
  shown: Shown,
  work: (say: (text: string) => void) => Promise<void>,
): Promise<void> {
  let id: string | null = null;
  let text = shown.text;
  const timer = setTimeout(() => {
    const actions = [{ label: shown.stop, callback: () => shown.cancel.abort() }];
    id = Notification.emit(text, 'in-progress', { autoClose: false, actions });
  }, soonMs);
  try {
    await work((said) => {
      text = said;
      if (id !== null) Notification.update({ id, message: text });
    });
  } finally {
    clearTimeout(timer);
    if (id !== null) Notification.dismiss(id);
  }
}
