// `try` bodies whose handlers catch exceptions of known classes: another exception still ends the cell, as long as nothing
// ran before it in the body that might have raised one that is caught.
import { exceptionLineage, isBuiltinException, type Node } from '@grus/python';
import type { Event } from '../events.js';
import { rulesOf } from '../kinds.js';

interface OpenBody {
  readonly caught: ReadonlySet<string>;
  /** The first operation of the body that may have raised. */
  risk?: Node;
}

export class OpenHandlers {
  private readonly open: OpenBody[] = [];

  enter(caught: ReadonlySet<string>): void {
    this.open.push({ caught });
  }

  /** Leaves the innermost body; true when something in it may have raised. */
  leave(): boolean {
    return this.open.pop()?.risk !== undefined;
  }

  /** Whether something that ran before in a body around may have raised what is caught there. */
  isRiskyBefore(event: Event): boolean {
    return this.open.some(
      ({ risk }) => risk !== undefined && !(event.type === 'refusal' && event.node === risk),
    );
  }

  /** Remembers the first operation that may raise. */
  note(event: Event): void {
    if (
      event.type === 'loadName' ||
      (event.type === 'loadAttribute' && rulesOf(event.receiver.fact).hasPlainAttributes)
    )
      return;
    for (const body of this.open) body.risk ??= event.node;
  }

  /** Whether a handler around may catch the exception; of one that is not known, it may. */
  mayCatch(exception: string): boolean {
    if (this.open.length === 0) return false;
    if (!isBuiltinException(exception)) return true;
    const classes = exceptionLineage(exception);
    return this.open.some(({ caught }) => classes.some((name) => caught.has(name)));
  }
}
