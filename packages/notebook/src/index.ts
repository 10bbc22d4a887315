export { type Check, defineCheck } from './checks/define-check.js';
export { type CellFindings, type JudgeOptions, judgeCell } from './checks/judge.js';
export { checkById, checks } from './checks/registry.js';
export { aheadRequest, concludeAhead } from './dry/ahead.js';
export { conclude } from './dry/conclude.js';
export {
  type DryOptions,
  type DryPolicy,
  defaultDryBudgetMs,
  dryPolicies,
  guardedDryBudgetMs,
} from './dry/options.js';
export { type Rehearsal, type RehearsedCell, rehearse } from './dry/rehearse.js';
export { alignCells } from './file/align.js';
export { type CodeCell, codeCells, languageOf, type NotebookDocument } from './file/document.js';
export { parseNotebook, readNotebook } from './file/read.js';
export { selectCell } from './file/select.js';
export { sourceLines } from './file/source-lines.js';
export { assertWritable, writeNotebook } from './file/write.js';
export { libraries } from './generated/libraries.js';
export {
  type CheckOptions,
  type CheckTarget,
  checkCell,
  isMissingModule,
  isUnread,
  type LadderContext,
  type RungName,
} from './ladder/check-cell.js';
export { type SnapshotLimits, snapshotFor } from './ladder/snapshot-for.js';
export { LightCells } from './light/light.js';
export { judgeQuickly, modulesOf } from './quick/quick.js';
export { askedOfPackages } from './quick/wanted.js';
export type { LibraryModel } from './reasoning/library.js';
export { registerLibraries } from './reasoning/registry.js';
export {
  type Piece,
  type RehearsedNotebook,
  rehearseInCopies,
  upTo,
  wholeCell,
} from './rehearsal/in-copies.js';
export { Loss } from './rehearsal/loss.js';
export { applyEdit } from './repair/apply.js';
export {
  type ProposalOptions,
  tryCrash,
  type VerifiedFix,
  verifyEdit,
  verifyProposal,
} from './repair/verify.js';
export { type CellHistory, type CellStatus, untouched } from './session/cells.js';
export { type ExecuteCellOptions, NotebookSession } from './session/session.js';
