// The questions that need more than a button: why a finding is to be ignored, and whether a model may be told this.
import type { Finding } from '@grus/core';
import { Dialog, showDialog, showErrorMessage } from '@jupyterlab/apputils';
import type { TranslationBundle } from '@jupyterlab/translation';
import { Widget } from '@lumino/widgets';
import type { Shown } from '../ladder/request.js';
import { element, prose } from './dom.js';

export interface Suppression {
  readonly reason: string;
  readonly everywhere: boolean;
}

class SuppressionForm extends Widget implements Dialog.IBodyWidget<Suppression> {
  readonly #reason = element('input', 'jp-mod-styled grus-reason');
  readonly #everywhere = element('input', 'grus-everywhere');

  constructor(trans: TranslationBundle) {
    super();
    this.#everywhere.type = 'checkbox';
    this.node.append(
      element('label', '', trans.__('Why (kept in the metadata of the cell):'), this.#reason),
      element('label', '', this.#everywhere, trans.__('Never show this check again, in any notebook')),
    );
  }

  getValue(): Suppression {
    return { reason: this.#reason.value.trim(), everywhere: this.#everywhere.checked };
  }
}

/** Null when the finding is to stay. */
export async function askSuppression(
  { check }: Finding,
  trans: TranslationBundle,
): Promise<Suppression | null> {
  const answer = await showDialog({
    title: trans.__('Ignore %1 in this cell', check),
    body: new SuppressionForm(trans),
    buttons: [
      Dialog.cancelButton({ label: trans.__('Cancel') }),
      Dialog.okButton({ label: trans.__('Ignore') }),
    ],
  });
  return answer.button.accept ? answer.value : null;
}

/** Shows what a model would be sent, what is about the notebook first. Null when it may not be; else whether what the model proposes may be run in a copy. */
export async function mayBeSent(
  { to, about, text, usd }: Shown,
  verifyFix: boolean,
  trans: TranslationBundle,
): Promise<{ readonly verifyFix: boolean } | null> {
  const body = new Widget();
  body.node.append(
    prose(
      'p',
      '',
      to === ''
        ? trans.__(
            'This model runs on the machine of the server: nothing leaves it. This is what it is told.',
          )
        : trans.__('This would be sent to %1.', to),
    ),
    ...(to === '' ? [] : [element('p', 'grus-cost', costs(usd, trans))]),
    element('pre', 'grus-sent', about),
    element(
      'details',
      '',
      element('summary', '', trans.__('The whole request, word for word')),
      element('pre', 'grus-sent', readable(text)),
    ),
  );
  const answer = await showDialog({
    title: trans.__('What would be sent'),
    body,
    checkbox: { label: trans.__('Run what it proposes in a copy of the kernel'), checked: verifyFix },
    buttons: [
      Dialog.cancelButton({ label: trans.__("Don't send") }),
      Dialog.okButton({ label: trans.__('Send') }),
    ],
  });
  return answer.button.accept ? { verifyFix: answer.isChecked === true } : null;
}

/** For the way without a gate: whether a cell that would crash is to be run. */
export async function askToRun(explanation: string, trans: TranslationBundle): Promise<boolean> {
  const answer = await showDialog({
    title: trans.__('This cell would crash'),
    body: explanation,
    buttons: [
      Dialog.warnButton({ label: trans.__('Run anyway'), accept: true }),
      Dialog.cancelButton({ label: trans.__("Don't run") }),
    ],
    defaultButton: 1,
  });
  return answer.button.accept;
}

export function complain(title: string, problem: unknown): Promise<void> {
  return showErrorMessage(title, problem instanceof Error ? problem.message : String(problem));
}

function costs(usd: number | null, trans: TranslationBundle): string {
  if (usd === null) return trans.__('What it costs is not known.');
  return usd === 0
    ? trans.__('No cost is counted for a server of your own.')
    : trans.__('It costs at most $%1.', usd.toPrecision(2));
}

function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2).replaceAll('\\n', '\n');
  } catch {
    return text;
  }
}
