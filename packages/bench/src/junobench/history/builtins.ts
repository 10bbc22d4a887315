// Names that every IPython kernel has without anybody binding them.

const functions =
  'abs aiter all anext any ascii bin breakpoint callable chr compile delattr dir divmod eval exec exit format getattr globals hasattr hash help hex id input isinstance issubclass iter len license locals max min next oct open ord pow print quit repr round setattr sorted sum vars __import__ __build_class__ copyright credits get_ipython display';
const classes =
  'bool bytearray bytes classmethod complex dict enumerate filter float frozenset int list map memoryview object property range reversed set slice staticmethod str super tuple type zip';
const exceptions =
  'ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError BrokenPipeError BufferError BytesWarning ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError ConnectionResetError DeprecationWarning EOFError EncodingWarning EnvironmentError Exception ExceptionGroup FileExistsError FileNotFoundError FloatingPointError FutureWarning GeneratorExit IOError ImportError ImportWarning IndentationError IndexError InterruptedError IsADirectoryError KeyError KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError NotADirectoryError NotImplementedError OSError OverflowError PendingDeprecationWarning PermissionError ProcessLookupError RecursionError ReferenceError ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration StopIteration SyntaxError SyntaxWarning SystemError SystemExit TabError TimeoutError TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError UnicodeWarning UserWarning ValueError Warning ZeroDivisionError';
const values = 'Ellipsis NotImplemented __debug__ __name__ __doc__ __builtins__ In Out _ __ ___ _ih _oh _dh';

const kinds = new Map<string, string>();
for (const name of functions.split(' ')) kinds.set(name, 'builtin');
for (const name of `${classes} ${exceptions}`.split(' ')) kinds.set(name, 'class');
for (const name of values.split(' ')) kinds.set(name, 'omitted');

/** The kind of the builtin of that name; undefined when there is none. */
export function builtinKind(name: string): string | undefined {
  return kinds.get(name);
}
