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
