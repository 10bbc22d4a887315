// Reads the kernel's description of live objects into facts, lazily and with the identity of objects kept: two names of
// one live object get the same ref.
import type { ObjectFact, Snapshot } from '@grus/kernel/snapshot';
import type { Fact, Ref } from '../facts.js';
import { topPackage } from '../names.js';
import { putScalar } from '../plain-objects.js';
import { isKnownPackage } from '../registry.js';
import { type NameState, newRef, type Origin, type OriginMember } from '../state.js';
import { completeFact } from './complete.js';
import { factOfObject } from './objects.js';

export class SnapshotOrigin implements Origin {
  private readonly refs = new Map<string, Ref>();
  private readonly facts = new Map<Ref, Fact>();
  private readonly pathOf = new Map<string, string>();

  private readonly reloads: boolean;

  constructor(
    readonly snapshot: Snapshot,
    /** Where a name's facts come from when the snapshot does not describe it. */
    private readonly fallback?: Origin,
  ) {
    this.reloads = reloadsModules(snapshot);
    for (const [name, key] of Object.entries(snapshot.names))
      if (!this.pathOf.has(key)) this.pathOf.set(key, name);
    for (const [path, member] of Object.entries(snapshot.paths))
      if (member.object !== undefined && !this.pathOf.has(member.object))
        this.pathOf.set(member.object, path);
  }

  binding(name: string): NameState {
    if (name === '__name__' && !(name in this.snapshot.names))
      return { status: 'bound', ref: this.mainName() };
    const key = this.snapshot.names[name];
    if (key !== undefined) return { status: 'bound', ref: this.refOf(key) };
    if (this.snapshot.builtins[name] !== undefined) return { status: 'bound', ref: this.builtin(name) };
    if (isBuiltin(name) && !this.snapshot.absent.includes(name) && !this.snapshot.namespace.includes(name))
      return { status: 'bound', ref: this.builtin(name) };
    if (this.snapshot.absent.includes(name)) return { status: 'unbound' };
    return this.fallback?.binding(name) ?? { status: 'unknown' };
  }

  fact(ref: Ref): Fact | undefined {
    return this.facts.get(ref) ?? this.fallback?.fact(ref);
  }

  member(path: string): OriginMember | undefined {
    const member = this.snapshot.paths[path];
    if (!member) return undefined;
    return {
      status: member.status,
      ...(member.object !== undefined && { ref: this.refOf(member.object) }),
      ...(member.siblings && { siblings: member.siblings }),
    };
  }

  names(): Iterable<string> {
    return Object.keys(this.snapshot.names);
  }

  /** The ref of a described object; its facts are read now, those of what it refers to when they are asked for. */
  refOf(key: string): Ref {
    const known = this.refs.get(key);
    if (known !== undefined) return known;
    const ref = newRef();
    this.refs.set(key, ref);
    const object: ObjectFact | undefined = this.snapshot.objects[key];
    if (object && !(this.reloads && isReloadable(object))) {
      const fact = factOfObject(object, {
        path: this.pathOf.get(key),
        refOf: (inner) => this.refOf(inner),
        put: (inner) => this.put(inner),
        object: (inner) => this.snapshot.objects[inner],
      });
      this.facts.set(ref, this.completed(key, fact));
    }
    return ref;
  }

  /** What the executed cells tell about the same name fills the gaps of a live description that agrees with it. */
  private completed(key: string, fact: Fact): Fact {
    const path = this.pathOf.get(key);
    if (!this.fallback || path === undefined || path.includes('.')) return fact;
    const { ref } = this.fallback.binding(path);
    const derived = ref === undefined ? undefined : this.fallback.fact(ref);
    if (!derived) return fact;
    // An attribute that the snapshot describes counts as it is there.
    const attributes = [...(derived.attributes ?? [])].filter(
      ([name]) => this.snapshot.paths[`${path}.${name}`]?.object === undefined,
    );
    return completeFact(fact, derived.attributes ? { ...derived, attributes: new Map(attributes) } : derived);
  }

  private mainName(): Ref {
    const key = 'builtins:__name__';
    const known = this.refs.get(key);
    if (known !== undefined) return known;
    const ref = putScalar(this, 'str', '__main__');
    this.refs.set(key, ref);
    return ref;
  }

  private builtin(name: string): Ref {
    const key = `builtins:${name}`;
    const known = this.refs.get(key);
    if (known !== undefined) return known;
    const described = this.snapshot.builtins[name];
    const signature =
      described === undefined ? undefined : this.snapshot.objects[described]?.representation?.signature;
    const ref = this.put({ kind: 'library', name: `builtins.${name}`, ...(signature && { signature }) });
    this.refs.set(key, ref);
    return ref;
  }

  put(fact: Fact): Ref {
    const ref = newRef();
    this.facts.set(ref, fact);
    return ref;
  }
}

/** With autoreload a module edited on disk is loaded again before the cell runs. */
export function reloadsModules({ cells = [] }: Snapshot): boolean {
  return cells.some(({ source }) => source.includes('autoreload'));
}

/** Whether the code behind the object may have been edited since: it is of no notebook, and of no library that is known. */
function isReloadable({ kind, class: name, structural, representation }: ObjectFact): boolean {
  const isCode = kind === 'module' || kind === 'class' || kind === 'function';
  const home = isCode ? (structural?.module ?? representation?.name) : name.includes('.') ? name : undefined;
  return typeof home === 'string' && topPackage(home) !== '__main__' && !isKnownPackage(home);
}

const builtinNames = new Set(
  (
    'abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex delattr dict dir divmod enumerate eval exec ' +
    'exit filter float format frozenset getattr globals hasattr hash help hex id input int isinstance issubclass iter len list locals map max memoryview ' +
    'min next object oct open ord pow print property quit range repr reversed round set setattr slice sorted staticmethod str sum super tuple type vars zip ' +
    '__import__ display get_ipython NotImplemented Ellipsis __name__ __doc__ __file__ __builtins__ __debug__ ' +
    'BaseException Exception ArithmeticError AssertionError AttributeError BufferError EOFError ImportError IndexError KeyError KeyboardInterrupt LookupError ' +
    'MemoryError ModuleNotFoundError NameError NotImplementedError OSError IOError EnvironmentError OverflowError RecursionError ReferenceError RuntimeError ' +
    'StopIteration StopAsyncIteration SyntaxError IndentationError TabError SystemError SystemExit TypeError UnboundLocalError UnicodeError ' +
    'UnicodeEncodeError UnicodeDecodeError UnicodeTranslateError ValueError ZeroDivisionError FileNotFoundError FileExistsError PermissionError TimeoutError ' +
    'ConnectionError InterruptedError IsADirectoryError NotADirectoryError ProcessLookupError ChildProcessError BlockingIOError BrokenPipeError GeneratorExit ' +
    'Warning UserWarning DeprecationWarning FutureWarning RuntimeWarning SyntaxWarning ImportWarning PendingDeprecationWarning ResourceWarning ' +
    'UnicodeWarning BytesWarning EncodingWarning ExceptionGroup BaseExceptionGroup copyright credits license'
  ).split(' '),
);

export function isBuiltin(name: string): boolean {
  return builtinNames.has(name);
}
