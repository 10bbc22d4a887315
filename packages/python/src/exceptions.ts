// Python's own exception classes and which handlers stop which of them.
import { dottedName, type Expression, type NodeOf } from './ast.js';

const parents: Readonly<Record<string, string>> = {
  Exception: 'BaseException',
  SystemExit: 'BaseException',
  KeyboardInterrupt: 'BaseException',
  GeneratorExit: 'BaseException',
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
  FileNotFoundError: 'OSError',
  FileExistsError: 'OSError',
  PermissionError: 'OSError',
  IsADirectoryError: 'OSError',
  NotADirectoryError: 'OSError',
  TimeoutError: 'OSError',
  ConnectionError: 'OSError',
  ReferenceError: 'Exception',
  RuntimeError: 'Exception',
  NotImplementedError: 'RuntimeError',
  RecursionError: 'RuntimeError',
  StopIteration: 'Exception',
  StopAsyncIteration: 'Exception',
  SyntaxError: 'Exception',
  IndentationError: 'SyntaxError',
  TabError: 'IndentationError',
  SystemError: 'Exception',
  TypeError: 'Exception',
  ValueError: 'Exception',
  UnicodeError: 'ValueError',
  UnicodeDecodeError: 'UnicodeError',
  UnicodeEncodeError: 'UnicodeError',
  Warning: 'Exception',
};

const synonyms: Readonly<Record<string, string>> = { IOError: 'OSError', EnvironmentError: 'OSError' };

/** The class and its ancestors among Python's own exceptions, nearest first; just the name for any other class. */
export function exceptionLineage(type: string): string[] {
  const lineage = [synonyms[type] ?? type];
  for (let next = parents[lineage[0]!]; next; next = parents[next]) lineage.push(next);
  return lineage;
}

/** Whether the name is that of an exception of Python's own. */
export function isBuiltinException(name: string): boolean {
  return name === 'BaseException' || Object.hasOwn(parents, name);
}

/** Whether a clause naming `type` stops `exception`: certain for Python's own classes, open for others. */
function names(type: Expression, exception: string): 'yes' | 'no' | 'maybe' {
  if (type.nodeType === 'Tuple') {
    const answers = type.elts.map((element) => names(element, exception));
    return answers.includes('yes') ? 'yes' : answers.includes('maybe') ? 'maybe' : 'no';
  }
  const path = dottedName(type);
  const name = path === null ? null : (synonyms[path] ?? path).replace(/^builtins\./, '');
  if (name === null) return 'maybe';
  if (exceptionLineage(exception).includes(name)) return 'yes';
  return isBuiltinException(name) && isBuiltinException(exception) ? 'no' : 'maybe';
}

/** Whether an `except` clause stops `exception`. */
export function handlerStops(handler: NodeOf<'ExceptHandler'>, exception: string): 'yes' | 'no' | 'maybe' {
  return handler.type ? names(handler.type, exception) : 'yes';
}

/** Whether a context manager expression swallows `exception`: `suppress(…)` and test helpers do, files do not. */
export function managerStops(manager: Expression, exception: string): 'yes' | 'no' | 'maybe' {
  if (manager.nodeType !== 'Call') return 'maybe';
  const path = dottedName(manager.func) ?? '';
  const leaf = path.slice(path.lastIndexOf('.') + 1);
  if (leaf === 'suppress' || leaf === 'raises' || leaf === 'assertRaises') {
    const answers = manager.args.map((type) => names(type, exception));
    return answers.includes('yes') ? 'yes' : answers.includes('maybe') ? 'maybe' : 'no';
  }
  return harmlessManagers.has(leaf) ? 'no' : 'maybe';
}

/** Managers that certainly let exceptions through. */
const harmlessManagers = new Set([
  'open',
  'no_grad',
  'enable_grad',
  'inference_mode',
  'autocast',
  'catch_warnings',
  'redirect_stdout',
  'ZipFile',
  'Pool',
  'ThreadPoolExecutor',
  'ProcessPoolExecutor',
  'TemporaryDirectory',
  'NamedTemporaryFile',
  'option_context',
  'errstate',
  'printoptions',
  'rc_context',
  'GradientTape',
  'device',
  'urlopen',
  'connect',
]);
