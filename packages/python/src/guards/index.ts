export { exceptionLineage, handlerStops, managerStops } from './exceptions.js';
export { type Guard, type GuardKind, guardsBetween } from './guards.js';
