export { exceptionLineage, handlerStops, isBuiltinException, managerStops } from './exceptions.js';
export { type Guard, type GuardKind, guardsBetween } from './guards.js';
