export type { BucketSettings } from './artefacts/bucket.js';
export type { SourceSettings } from './ingest/define.js';
export type { NotebookSettings } from './judging/checker.js';
export { type NotifySettings, parseNotify } from './notify/config.js';
export { type OidcSettings, parseOidc } from './oidc/config.js';
export {
  backupTo,
  type RunningServer,
  restoreFrom,
  type ServerSettings,
  startServer,
  startWorkers,
  type WorkSettings,
} from './server.js';
export type { StoreSettings } from './store/open.js';
