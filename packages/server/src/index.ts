export {
  type RunningServer,
  type ServerSettings,
  startServer,
  startWorkers,
  type WorkSettings,
} from './server.js';
