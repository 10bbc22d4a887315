// Suppression: `# grus: ignore[ID, …] reason` on the line of the finding, `# grus: ignore` for whatever is found there, or ids
// in the cell's metadata or the settings of the project.
import type { Finding } from '@grus/core';
import type { ParsedCell } from '@grus/python';

export interface SuppressedFinding {
  readonly finding: Finding;
  /** The author's reason, or where the suppression stands. */
  readonly by: string;
}

const comment = /#\s*grus:\s*ignore(?:\[([^\]]+)\]|(?![\w[-]))\s*(.*)$/;

/** Why a finding is not shown; null when it is. */
export function isSuppressed(
  cell: ParsedCell,
  finding: Finding,
  ignored: readonly string[],
  silenced: readonly string[],
): string | null {
  if (matches(ignored, finding.check)) return 'suppressed by the metadata of the cell';
  if (matches(silenced, finding.check)) return 'suppressed by the settings of the project';
  for (let line = finding.place.line; line <= finding.place.endLine; line++) {
    const match = comment.exec(cell.lines[line - 1] ?? '');
    if (match && (match[1] === undefined || matches(match[1].split(','), finding.check)))
      return match[2]!.trim() || 'suppressed on the line';
  }
  return null;
}

/** An id, or a family that covers all its checks. */
function matches(ids: readonly string[], check: string): boolean {
  return ids.some((id) => id.trim() === check || id.trim() === check.split('/')[0]);
}

/** Ids that the metadata of a cell suppresses. */
export function ignoredChecks(metadata: Readonly<Record<string, unknown>>): string[] {
  const grus = metadata['grus'];
  const ignore = typeof grus === 'object' && grus !== null && 'ignore' in grus ? grus.ignore : undefined;
  return Array.isArray(ignore) ? ignore.filter((id): id is string => typeof id === 'string') : [];
}
