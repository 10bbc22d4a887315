// The diagnosis alone, without watching, learning and pages: what `grus diagnose` loads at every start.
export { type FoundRun, type FoundRuns, findRuns, readFiles } from '../readers/index.js';
export type { RunRecord } from '../record/run-record.js';
export type { Diagnosis } from '../rules/diagnosis.js';
export { type DiagnoseOptions, diagnose } from './diagnose.js';
export { renderReport } from './report.js';
export { judgeSeveral, separateRuns } from './several.js';
export { renderTable } from './table.js';
export { describeUnderstood, understoodOf } from './understood.js';
