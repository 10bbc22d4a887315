// Which file a call reads or creates, when that is certain: from the table of known readers and the folded file name.
import { type FileReader, type Folded, fileReaders, fold, frameWriters, pathReaders } from '@grus/python';
import type { Call, CallArguments, Operand } from '../../reasoning/events.js';
import type { CheckContext } from '../define-check.js';

export interface FileAccess {
  readonly path: string;
  readonly wants: FileReader['wants'];
  /** The call makes the file when it is not there; only its folder must exist. */
  readonly creates: boolean;
  /** Goes straight to `open`, so that a folder is refused by name. */
  readonly opens: boolean;
  readonly withoutFolder?: FileReader['withoutFolder'];
}

const byCallee = new Map(fileReaders.map((reader) => [reader.callee, reader]));

export function fileAccess(event: Call, context: CheckContext): FileAccess | null {
  if (!event.args.complete) return null;
  const reader = event.target === null ? undefined : byCallee.get(usualName(event.target));
  if (reader) return accessOf(reader, event.args, context);
  if (event.method === null || !event.receiver) return null;
  if (event.method === 'savefig' && /^matplotlib\.figure\./.test(event.receiver.fact.class ?? ''))
    return accessOf(byCallee.get('matplotlib.pyplot.savefig')!, event.args, context);
  const writer = isPandas(event.receiver.fact.kind) ? frameWriters.get(event.method) : undefined;
  if (writer) return accessOf(writer, event.args, context);
  const method = pathReaders.get(event.method);
  const path = method && pathValue(event.receiver, context);
  if (!method || path?.kind !== 'path') return null;
  const creates = method.mode
    ? createsFile(argument(event.args, method.mode.position, [method.mode.keyword]), context)
    : false;
  if (creates === null || missingIsFine(event.args)) return null;
  return { path: path.value, wants: method.wants, creates, opens: event.method !== 'unlink' };
}

function isPandas(kind: string): boolean {
  return kind === 'dataframe' || kind === 'series';
}

/** The documented name of functions that live elsewhere. */
function usualName(target: string): string {
  return target
    .replace(/^(builtins|_io|io)\.open$/, 'open')
    .replace(/^(posix|nt)\./, 'os.')
    .replace(/^(posixpath|ntpath|genericpath)\./, 'os.path.')
    .replace(/^tarfile\.TarFile\.open$/, 'tarfile.open')
    .replace(/^joblib\.numpy_pickle\./, 'joblib.')
    .replace(/^torch\.serialization\./, 'torch.')
    .replace(/^numpy\.(lib\.)?(npyio|_npyio_impl)\./, 'numpy.');
}

function accessOf(reader: FileReader, args: CallArguments, context: CheckContext): FileAccess | null {
  const operand = argument(args, reader.position, reader.keywords);
  const value = operand && pathValue(operand, context);
  if (!value || value.value === '' || value.value.includes('\0')) return null;
  const path = value.value;
  if (reader.acceptsUrl && (/^[a-z][a-z0-9+.-]*:/i.test(path) || /^~|[*?[\]{}<\n]/.test(path))) return null;
  if (reader.callee === 'scipy.io.loadmat' && !path.endsWith('.mat')) return null;
  if (missingIsFine(args)) return null;
  const creates = reader.mode
    ? createsFile(argument(args, reader.mode.position, [reader.mode.keyword]), context)
    : (reader.creates ?? false);
  if (creates === null) return null;
  const { wants, callee, withoutFolder } = reader;
  return { path, wants, creates, opens: callee === 'open', ...(withoutFolder && { withoutFolder }) };
}

function argument(args: CallArguments, position: number, keywords: readonly string[]): Operand | undefined {
  if (args.positional[position]) return args.positional[position];
  for (const keyword of keywords) if (args.keywords.has(keyword)) return args.keywords.get(keyword);
  return undefined;
}

/** Arguments by which a call takes a missing file lightly, or by which the name is not resolved as usual. */
function missingIsFine(args: CallArguments): boolean {
  return ['ignore_errors', 'missing_ok', 'onerror', 'dir_fd', 'opener', 'partition_cols'].some((keyword) =>
    args.keywords.has(keyword),
  );
}

/** Whether a mode makes a new file; null when it is not known. */
function createsFile(mode: Operand | undefined, context: CheckContext): boolean | null {
  if (!mode) return false;
  const value = context.literal(mode.ref);
  return typeof value === 'string' ? /[wax]/.test(value) : null;
}

type PathValue = Extract<Folded, { kind: 'str' | 'path' }>;

/** The file name that an operand stands for: a known string, a known path object, or an expression that folds to one. */
function pathValue(operand: Operand, context: CheckContext): PathValue | undefined {
  const literal = context.literal(operand.ref);
  if (typeof literal === 'string' && operand.fact.kind === 'scalar' && operand.fact.type === 'str')
    return { kind: 'str', value: literal };
  const held = heldPath(operand, context);
  if (held) return held;
  const node = operand.node;
  if (!('lineno' in node) || (node.nodeType !== 'Call' && node.nodeType !== 'BinOp')) return undefined;
  const folded = fold(node, {
    value: (path) => {
      const ref = context.nameRef(path);
      if (ref === undefined) return undefined;
      const value = context.literal(ref);
      if (typeof value === 'string') return { kind: 'str', value };
      if (typeof value === 'number' && Number.isInteger(value)) return { kind: 'int', value };
      return heldPath({ ref, fact: context.look(ref), node }, context);
    },
    callee: (path) => {
      const [root = '', ...rest] = path.split('.');
      const ref = context.nameRef(root);
      const fact = ref === undefined ? undefined : context.look(ref);
      if (fact?.kind === 'module' || fact?.kind === 'library' || fact?.kind === 'class')
        return [fact.name, ...rest]
          .join('.')
          .replace(/^posixpath\./, 'os.path.')
          .replace(/^builtins\./, '');
      return '?';
    },
  });
  return folded?.kind === 'str' || folded?.kind === 'path' ? folded : undefined;
}

/** The value of a `pathlib` object that the kernel holds or the cell made. */
function heldPath(operand: Operand, context: CheckContext): PathValue | undefined {
  if (!/^pathlib\.(_local\.)?(Posix|Windows)?Path$/.test(operand.fact.class ?? '')) return undefined;
  const text = operand.fact.attributes?.get('_str') ?? operand.fact.attributes?.get('_raw_path');
  const value = text === undefined ? undefined : context.literal(text);
  return typeof value === 'string' ? { kind: 'path', value } : undefined;
}
