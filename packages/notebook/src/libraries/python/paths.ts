// Names of files: `os.path` and `pathlib` as far as they only compute with names, and the questions to the file system
// that change nothing.
import { joinPath, purePath } from '@grus/python';
import type { Context } from '../../reasoning/context.js';
import type { Operand } from '../../reasoning/events.js';
import type { Fact, Ref } from '../../reasoning/facts.js';
import type { CallTransfer, Transfers } from '../../reasoning/library.js';
import { putScalar } from '../../reasoning/plain-objects.js';

const pathClass = /^pathlib\.(_local\.)?(Pure)?(Posix|Windows)?Path$/;

function path(context: Context, value: string | undefined): Ref {
  if (value === undefined) return context.put({ kind: 'instance', class: 'pathlib.PosixPath' });
  const attributes = new Map([['_str', putScalar(context, 'str', purePath(value))]]);
  return context.put({ kind: 'instance', class: 'pathlib.PosixPath', attributes });
}

function isPath(fact: Fact): boolean {
  return fact.kind === 'instance' && pathClass.test(fact.class ?? '');
}

/** The name that a string or a path object stands for. */
function nameOf({ fact, ref }: Operand, context: Context): string | undefined {
  const held = isPath(fact) ? fact.attributes?.get('_str') : ref;
  const value = held === undefined ? undefined : context.literal(held);
  return typeof value === 'string' ? value : undefined;
}

function joined(operands: readonly Operand[], context: Context): string | undefined {
  const names = operands.map((operand) => nameOf(operand, context));
  return names.every((name) => name !== undefined) ? joinPath(names) : undefined;
}

const join: CallTransfer = ({ args }, context) =>
  putScalar(context, 'str', args.complete ? joined(args.positional, context) : undefined);

const makePath: CallTransfer = ({ args }, context) =>
  path(context, args.complete ? (joined(args.positional, context) ?? undefined) : undefined);

const someText: CallTransfer = (_, context) => putScalar(context, 'str');
const something: CallTransfer = (_, context) => context.unknown();
const truth: CallTransfer = (_, context) => putScalar(context, 'bool');

const homes = ['os.path', 'posixpath'];
const functions: Record<string, CallTransfer> = {
  'pathlib.Path': makePath,
  'pathlib.PosixPath': makePath,
  'pathlib.PurePath': makePath,
  'os.getcwd': someText,
  'posix.getcwd': someText,
  'os.listdir': something,
  'posix.listdir': something,
  'os.getenv': something,
  'os.cpu_count': something,
};
for (const home of homes) {
  functions[`${home}.join`] = join;
  for (const name of ['exists', 'isfile', 'isdir', 'isabs', 'islink']) functions[`${home}.${name}`] = truth;
  for (const name of ['basename', 'dirname', 'abspath', 'realpath', 'expanduser', 'normpath', 'relpath'])
    functions[`${home}.${name}`] = someText;
  for (const name of ['splitext', 'split', 'getsize', 'getmtime']) functions[`${home}.${name}`] = something;
}

/** Methods of path objects; anything else of the name is not theirs. */
function ofPath(transfer: CallTransfer): CallTransfer {
  return (site, context) =>
    site.receiver && isPath(site.receiver.fact) ? transfer(site, context) : undefined;
}

const methods: Record<string, CallTransfer> = {};
for (const name of ['exists', 'is_file', 'is_dir', 'is_absolute', 'match']) methods[name] = ofPath(truth);
for (const name of 'read_text read_bytes glob rglob iterdir stat resolve with_suffix with_name'.split(' '))
  methods[name] = ofPath(something);

export const paths: Transfers = {
  functions,
  methods: { instance: methods },
  binary(operator, left, right, context) {
    if (operator !== 'Div' || (!isPath(left.fact) && !isPath(right.fact))) return undefined;
    return path(context, joined([left, right], context));
  },
};
