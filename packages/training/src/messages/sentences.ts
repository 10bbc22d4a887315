// Python's own sentences, and the class of exception that each belongs to: a log often keeps the sentence alone, as in
// "Error during training: 'Namespace' object has no attribute 'decay'".

const sentences: readonly (readonly [exception: string, says: RegExp])[] = [
  ['NameError', /^name ['‘`"].{1,60}['’`"] is not defined\b/],
  ['AttributeError', /^(?:.{1,60} object|module .{1,60}|type object .{1,60}) has no attribute \S/],
  [
    'TypeError',
    /^\S{1,80}\(\) (?:got an unexpected keyword argument|got multiple values for|missing \d+ required|takes \d+ positional)|^.{1,60} object is not (?:callable|subscriptable|iterable)\b/,
  ],
  [
    'TypeError',
    /^(?:unsupported operand type\(s\) for|'\S{1,2}' not supported between instances|object of type '\w+' has no len\(\)|\w+ indices must be (?:integers|slices)|unhashable type: |can only concatenate |cannot pickle '|can't pickle \S+ objects?$|cannot unpack non-iterable |argument of type '\w+' is not iterable|'\w+' object does not support item |Object of type \w+ is not JSON serializable)/,
  ],
  ['ValueError', /^(?:too many|not enough) values to unpack \(expected /],
  [
    'UnboundLocalError',
    /^(?:local variable '\w+' referenced before assignment|cannot access local variable ')/,
  ],
  ['RecursionError', /^maximum recursion depth exceeded/],
  ['PicklingError', /^Can't (?:pickle|get local object) /],
  ['ModuleNotFoundError', /^No module named \S/],
  ['ImportError', /^cannot import name \S/],
  [
    'ZeroDivisionError',
    /^(?:(?:float |integer )?(?:division|modulo|floor division)(?: or modulo)? by zero|float floor division by zero)$/,
  ],
  ['UnicodeEncodeError', /^'[\w-]+' codec can't encode character/],
  ['UnicodeDecodeError', /^'[\w-]+' codec can't decode byte/],
  ['IndexError', /^(?:list|tuple|string|pop) (?:assignment )?index out of range$/],
  ['KeyError', /^'[\w-]{1,60}'$/],
  ['PermissionError', /^\[Errno 13\] /],
  ['FileNotFoundError', /^\[Errno 2\] /],
];

/** The class that Python raises a sentence with; empty where the sentence is not Python's own. */
export function exceptionOf(sentence: string): string {
  return sentences.find(([, says]) => says.test(sentence))?.[0] ?? '';
}
