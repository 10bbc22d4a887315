// Builtins through which code can bind or read any name without writing it down.
export const bindsUnseen: ReadonlySet<string> = new Set([
  'exec',
  'eval',
  'globals',
  'locals',
  'vars',
  'setattr',
]);
