// Turns what a detector saw into evidence: the fact in words with its figures, the file, and the line or step.
import type { Curve } from '../../features/curve.js';
import { firstLine } from '../../features/ending.js';
import type { Failure } from '../../features/failures.js';
import type { DeviceMessage, Exit, Setting, TextLine, Where } from '../../record/run-record.js';
import type { RunEvidence } from '../define.js';

export function citeWhere(fact: string, at: Where | null, step?: number | null): RunEvidence {
  return {
    fact,
    file: at?.file ?? '',
    ...(at?.line === undefined ? {} : { line: at.line }),
    ...(step === undefined || step === null ? {} : { step }),
  };
}

export function citeFailure(failure: Failure): RunEvidence {
  const frame = failure.frames.at(-1);
  const own = failure.frames.findLast(
    (entry) => !/site-packages|dist-packages|lib\/python\d|<frozen/.test(entry.file),
  );
  const place = own ?? frame;
  const raised = place ? ` (raised from ${place.file}:${place.line})` : '';
  return citeWhere(`${firstLine(failure.text)}${raised}`, failure.at, failure.step);
}

export function citeLine(line: TextLine): RunEvidence {
  return citeWhere(firstLine(line.text), line.at, line.step);
}

export function citeDevice(message: DeviceMessage): RunEvidence {
  return citeWhere(firstLine(message.text), message.at, message.step);
}

export function citeExit(exit: Exit): RunEvidence {
  return citeWhere(firstLine(exit.text) || `exit: ${exit.reason}`, exit.at, exit.step);
}

export function citeSetting(entry: Setting): RunEvidence {
  return citeWhere(`${entry.key} = ${String(entry.value)}`, entry.at);
}

export function citePoint(curve: Curve, index: number, fact: string): RunEvidence {
  const at = curve.where(index);
  return {
    fact,
    file: at.file,
    ...(at.line === undefined ? {} : { line: at.line }),
    step: curve.steps[index]!,
  };
}
