/**
 * # The ranks run different versions
 *
 * ## What
 * Ranks name different versions of the same library or of the code, or NCCL says so.
 *
 * ## Why
 * Versions differ in the collectives they call and in what they send.
 *
 * ## Example
 * Rank 0 recorded `torch` 2.8.0, rank 8 `torch` 2.7.1.
 *
 * ## Stays silent
 * For libraries that only one rank names, for versions in a log while the ranks hold the same model, and when the run completed.
 */

import { comparesRanks } from '../../ranks/differing/compared.js';
import { versionApart } from '../../ranks/differing/versions.js';
import { rankOfPath } from '../../ranks/present/path-rank.js';
import type { Version } from '../../record/run-record.js';
import { defineDetector } from '../define.js';
import { citeLine, citeWhere } from '../shared/cite.js';
import { fromLine } from '../shared/match.js';

export const versionsApart = defineDetector({
  id: 'distributed/versions-apart',
  subcause: 'versions_apart',
  role: 'root',
  signal: 'configuration',
  needs: [],
  detect: (record, _features, { view }) => {
    if (view.ending.kind === 'completed') return [];
    const said = fromLine(view, /Mismatched NCCL version detected/, { strength: 0.94 });
    if (said.length > 0) return said;
    // Lines of a log name many things: they count where ranks were found to hold different models.
    const apart = view.failures.some(comparesRanks) ? versionApart(view) : null;
    if (apart) return [{ strength: 0.95, evidence: [citeLine(apart.line), citeLine(apart.otherLine)] }];
    const known = new Map<string, Version>();
    for (const entry of record.versions) {
      if (rankOfPath(entry.at.file) === null && !entry.at.file.endsWith('grus.jsonl')) continue;
      const other = known.get(entry.name);
      if (other && other.version !== entry.version)
        return [
          {
            strength: 0.85,
            evidence: [other, entry].map(({ name, version, at }) => citeWhere(`${name} ${version}`, at)),
          },
        ];
      known.set(entry.name, entry);
    }
    return [];
  },
});
