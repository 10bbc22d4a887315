export { type Kind, kinds } from './kinds.js';
export { redactSnapshot } from './redact.js';
export { emptyRequest, type Question, type SnapshotRequest } from './request.js';
export {
  type Answer,
  type Compilation,
  type Literal,
  type Member,
  type ObjectFact,
  objectFact,
  type Parameter,
  type Snapshot,
  snapshotSchema,
  type ValueFacts,
} from './schema.js';
