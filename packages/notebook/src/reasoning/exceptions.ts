// The classes of Python's own exceptions, for the question whether a handler catches one.

const bases: Readonly<Record<string, string>> = {
  Exception: 'BaseException',
  KeyboardInterrupt: 'BaseException',
  SystemExit: 'BaseException',
  ArithmeticError: 'Exception',
  FloatingPointError: 'ArithmeticError',
  OverflowError: 'ArithmeticError',
  ZeroDivisionError: 'ArithmeticError',
  AssertionError: 'Exception',
  AttributeError: 'Exception',
  BufferError: 'Exception',
  EOFError: 'Exception',
  ImportError: 'Exception',
  ModuleNotFoundError: 'ImportError',
  LookupError: 'Exception',
  IndexError: 'LookupError',
  KeyError: 'LookupError',
  MemoryError: 'Exception',
  NameError: 'Exception',
  UnboundLocalError: 'NameError',
  OSError: 'Exception',
  ConnectionError: 'OSError',
  FileExistsError: 'OSError',
  FileNotFoundError: 'OSError',
  IsADirectoryError: 'OSError',
  NotADirectoryError: 'OSError',
  PermissionError: 'OSError',
  TimeoutError: 'OSError',
  RuntimeError: 'Exception',
  NotImplementedError: 'RuntimeError',
  RecursionError: 'RuntimeError',
  StopIteration: 'Exception',
  SyntaxError: 'Exception',
  TypeError: 'Exception',
  ValueError: 'Exception',
  UnicodeError: 'ValueError',
  UnicodeDecodeError: 'UnicodeError',
  UnicodeEncodeError: 'UnicodeError',
};

/** Whether the name is that of an exception of Python's own. */
export function isBuiltinException(name: string): boolean {
  return name === 'BaseException' || Object.hasOwn(bases, name);
}

/** The class and all that it derives from; undefined for one that is not Python's own. */
export function withBases(name: string): readonly string[] | undefined {
  if (!isBuiltinException(name)) return undefined;
  const all = [name];
  for (let base = bases[name]; base !== undefined; base = bases[base]) all.push(base);
  return all;
}
