// What the command needs of a server elsewhere, without what a server needs.
export { request, type ServerAddress } from './connection.js';
export { pullLabels } from './labels.js';
export { digestOfFile, type PushedFiles, type PushedRun, pushRun, type RunToPush } from './push.js';
