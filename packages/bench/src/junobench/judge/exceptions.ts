// Exception types named in a text, and which of them exclude each other. Explanations confuse KeyError, IndexError,
// ValueError, TypeError and RuntimeError freely, as libraries themselves do; a name that is not defined, a module or a
// file that is missing is never meant by any of those.

const groups: Readonly<Record<string, string>> = {
  nameerror: 'name',
  unboundlocalerror: 'name',
  filenotfounderror: 'file',
  notadirectoryerror: 'file',
  isadirectoryerror: 'file',
  permissionerror: 'file',
  modulenotfounderror: 'module',
  importerror: 'module',
  memoryerror: 'memory',
  outofmemoryerror: 'memory',
  syntaxerror: 'syntax',
  indentationerror: 'syntax',
};

/** The group of an exception type; `other` for the interchangeable ones. */
export function exceptionGroup(type: string): string {
  const plain = type.toLowerCase().split('.').at(-1)!;
  return groups[plain] ?? 'other';
}

export function exceptionsIn(text: string): string[] {
  const named = text.match(/\b[A-Z]\w*(?:Error|Exception)\b/g) ?? [];
  return [...new Set(named)];
}
