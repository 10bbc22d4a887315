export type { SnapshotRequest } from './request.js';
export {
  type Literal,
  type Member,
  type ObjectFact,
  objectFact,
  type Parameter,
  type Snapshot,
  snapshotSchema,
} from './schema.js';
