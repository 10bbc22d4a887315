// Code that people paste beside the numbers of their run. It is read as text, line by line, and never run.
import { once } from '../../features/once.js';
import type { RunView } from '../../features/view.js';
import type { TextLine } from '../../record/run-record.js';

export interface PastedCode {
  readonly lines: readonly TextLine[];
  /** All of it, comments left out. */
  readonly text: string;
}

/** A log of more lines is no paste. */
const mostLines = 400;

const looksLikeCode =
  /^\s*(?:(?:for|while|if|elif|with|def|class)\b.*:\s*(?:#.*)?$|(?:from|import|return|else|try)\b|@\w|#)|^\s*[\w.[\], ]+\s*(?:[-+*/]?=)\s*[^=\s].*[\w)\]'"]\s*(?:#.*)?$|^\s*[\w.]+\(.*\)?[,:]?\s*(?:#.*)?$/;
/** `loss = 0.31`, `step = 100: loss = 4`: a value is told, nothing is computed. */
const tells = /^[^=]*=\s*[-+]?(?:[\d.]+(?:e[-+]?\d+)?|nan|inf)\b\s*(?:[,|:;%].*)?$/i;

/** Null where there is none, or where it is what a traceback quotes. */
export const pastedCode = once((view: RunView): PastedCode | null => {
  const all = view.record.text.lines;
  const lines =
    all.length > mostLines || view.failures.length > 0
      ? []
      : all.filter(({ text }) => text.length < 300 && looksLikeCode.test(text) && !tells.test(text));
  return lines.length === 0
    ? null
    : { lines, text: lines.map(({ text }) => withoutComment(text)).join('\n') };
});

function withoutComment(text: string): string {
  return text.replace(/(^|\s)#.*$/, '$1');
}
