// Underlines the offending ranges in a cell's editor. Pushed after a check, never while typing.
import { type Diagnostic, setDiagnostics } from '@codemirror/lint';
import type { EditorView } from '@codemirror/view';
import type { Finding, Place, Verdict } from '@grus/core';
import type { Cell } from '@jupyterlab/cells';
import { CodeMirrorEditor } from '@jupyterlab/codemirror';
import { isCertain } from '../gate/certain.js';

const underlined = new WeakSet<EditorView>();

export function underline(cell: Cell, verdict: Verdict | null): void {
  const { editor } = cell;
  if (!(editor instanceof CodeMirrorEditor)) return;
  const view = editor.editor;
  // The first finding is the verdict's; those behind it are met only if that one is not.
  const [finding] = verdict?.findings ?? [];
  if (finding === undefined && !underlined.has(view)) return;
  underlined.add(view);
  const severity = verdict !== null && isCertain(verdict) ? 'error' : 'warning';
  const diagnostics = finding === undefined ? [] : [diagnosticOf(view, finding, severity)];
  view.dispatch(setDiagnostics(view.state, diagnostics));
}

function diagnosticOf(view: EditorView, finding: Finding, severity: Diagnostic['severity']): Diagnostic {
  const { type, message } = finding.exception;
  const { from, to } = rangeOf(view, finding.place);
  return {
    from,
    to,
    severity,
    source: 'Grus',
    message: `${message === '' ? type : `${type}: ${message}`}\n${finding.explanation}`,
  };
}

function rangeOf({ state: { doc } }: EditorView, place: Place): { from: number; to: number } {
  const offset = (line: number, column: number) => {
    const at = doc.line(Math.min(Math.max(1, line), doc.lines));
    return Math.min(at.from + column, at.to);
  };
  const from = offset(place.line, place.column);
  return { from, to: Math.max(from, offset(place.endLine, place.endColumn)) };
}
