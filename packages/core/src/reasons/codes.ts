// Every reason that Grus gives for not deciding, as a code with the data that belong to it. Decisions read codes; people
// read the texts beside. The kernel agent's share is generated from here into its Python module `reasons`.

/** What a field of a reason holds; `?` may be null. */
export interface FieldTypes {
  readonly text: string;
  readonly 'text?': string | null;
  readonly number: number;
  readonly texts: readonly string[];
  readonly cuts: readonly Cut[];
}

/** A loop or fit that was cut short in a copy: rounds done, of how many (null where nobody knows), and its line. */
export interface Cut {
  readonly what: string;
  readonly line: number;
  readonly done: number;
  readonly of: number | null;
}

type Field = keyof FieldTypes | 'reason' | 'reason?' | 'reasons';
type Table = Readonly<Record<string, Readonly<Record<string, Field>>>>;

/** Given by the agent inside the kernel. */
export const agentReasons = {
  // What a snapshot leaves out.
  'time-spent': {},
  'bytes-spent': {},
  undescribed: { class: 'text', error: 'text' },
  'attributes-cut': { class: 'text', shown: 'number', total: 'number' },
  'items-cut': { class: 'text', shown: 'number', total: 'number' },
  'columns-cut': { shown: 'number', total: 'number' },

  // Why a question about the live state has no answer.
  'asking-failed': { error: 'text' },
  unreachable: {},
  'no-answerer': {},
  'not-looked-for': {},
  'class-not-loaded': {},
  'options-unknown': {},
  'value-computed': {},
  'slot-empty': {},
  'class-computes': {},
  'module-computes': {},
  removed: { advice: 'text' },
  'star-import': {},
  'is-submodule': {},
  'never-mentioned': {},
  'module-not-imported': {},
  'blocked-module': {},
  'parent-not-package': {},
  'parent-unloaded': {},
  'parent-not-module': {},
  'parent-computes': {},
  'path-computed': {},
  'finder-not-asked': {},
  'keys-not-plain': {},
  'labels-not-plain': {},
  'not-declared': {},
  'own-transformers': {},
  'cell-too-long': {},

  // Why the kernel is not copied.
  'platform-cannot-fork': { platform: 'text' },
  'kernel-large': { mb: 'number' },
  'cell-running': {},
  'own-child-handler': {},
  'debugger-attached': {},
  'library-in-use': { library: 'text' },
  'library-threads': { library: 'text' },
  'cluster-open': { library: 'text' },
  'thread-at-work': { thread: 'text' },
  'pool-stuck': { library: 'text' },
  'needs-gpu': {},
  'gpu-lost': {},
  'run-meanwhile': {},
  'isolation-too-weak': {},
  'no-isolation': { tried: 'reasons' },
  'isolation-failed': { strength: 'text', error: 'text' },
  'processor-unknown': {},
  'no-own-proc': {},
  'no-landlock': {},

  // Why a copy or twin could not be prepared.
  'preparing-failed': { error: 'text' },
  'too-large-to-carry': { megabytes: 'number' },
  'cannot-carry': { name: 'text?', error: 'text' },
  'cannot-rebuild': { error: 'text' },
  'carried-unequal': { names: 'texts' },
  'modules-edited': { names: 'texts' },

  // Why a cell that was run in a copy gives no verdict.
  'asks-for-input': {},
  'ends-kernel': {},
  'cannot-be-run': { error: 'text' },
  'shown-and-went-on': { error: 'text' },
  'ends-itself': { error: 'text' },

  // Why the copy itself may be to blame for what happened in it.
  'uses-network': { what: 'text' },
  'isolation-refused': { strength: 'text', what: 'text' },
  'program-needs-network': { program: 'text' },
  'alone-in-copy': { error: 'text' },
  'file-identity': {},
  'cell-runs-meanwhile': {},
  'threads-missing': { threads: 'texts' },
  'copy-may-cause': { words: 'text' },
  'other-gpu-use': {},
  'error-without-number': { error: 'text' },
  'error-of-isolation': { error: 'text', number: 'text' },
  'other-place': { path: 'text' },
  'less-memory': { error: 'text' },
  'cannot-know': { source: 'text' },

  // What a twin cannot answer for.
  'rows-sampled': { names: 'texts' },
  'rows-missing': {},
  'names-left-behind': {},
  'no-gpu': {},
  'no-gpu-strayed': { what: 'text' },
  'no-gpu-precision': {},
  'gpu-placement': {},
  'gpu-values-missing': {},
  'gpu-asked': {},
  'gpu-captured': {},
  'gpu-memory': { need: 'number', free: 'number' },
  'compiled-before': {},
  'libraries-changed': { names: 'texts' },
  'steps-left-behind': {},
  'of-one-process': {},

  // Why an exception, or a finish, after cut loops proves nothing.
  'sleep-cut': {},
  'fit-cut': {},
  'finished-cut': { cuts: 'cuts' },
  'cut-wrote-files': { cuts: 'cuts' },
  'cut-not-followed': { cuts: 'cuts' },
  'cut-bound-names': { cuts: 'cuts' },
  'cut-produced': { cuts: 'cuts', what: 'text' },
  'cut-values': { cuts: 'cuts', what: 'text' },
  'cut-forms': { cuts: 'cuts', what: 'text' },

  // Why a library that was asked in a copy gave no answer.
  'part-without-value': {},
  'time-is-up': {},
  'takes-too-long': {},
  'ended-by': { error: 'text' },
  'name-gone': {},
  'not-loaded': { name: 'text' },
  'file-too-long': {},
  'cannot-be-copied': {},
  'parameters-not-plain': {},
  'gives-iterator': {},
  'depends-on-data': {},
  'looks-for-names': {},
  'not-with-real-data': { error: 'text' },
  'gradients-unknown': {},
} as const satisfies Table;

/** Given by the ladders and those who climb them. */
export const ladderReasons = {
  'rung-failed': { rung: 'text', error: 'text' },
  'kernel-unread': {},
  'interpreter-guessed': { python: 'text', error: 'text' },
  'not-python': {},
  'for-other-rung': { rung: 'text' },
  'nothing-certain': { reservations: 'reasons' },
  suppressed: { check: 'text', by: 'text' },
  'check-failed': { check: 'text', error: 'text' },
  'walk-failed': { error: 'text' },
  'steps-spent': {},
  'no-answer-came': {},
  'only-shown': {},
  'not-in-record': { what: 'texts' },

  // The dry run.
  'dry-off': {},
  'dry-declined': {},
  'short-cell': {},
  'not-assumed': { statement: 'text', error: 'text?' },
  'copy-refused': { because: 'reason' },
  'no-verdict': { because: 'reason' },
  'finished-doubtfully': { doubt: 'reason' },
  'raised-doubtfully': { error: 'text', doubt: 'reason' },
  'dry-time-spent': { ms: 'number', where: 'text?', ahead: 'reason?' },
  'ahead-finished': {},
  'ahead-raised': { error: 'text', line: 'text', doubt: 'reason?' },
  'gave-way': {},
  'copy-died': { signal: 'text?' },
  'not-prepared': { what: 'text', because: 'reason?' },
  'earlier-unfinished': {},
  'copy-wrote-result': {},

  // Many notebooks.
  'behind-crash': { cell: 'number' },
  'needs-lost-names': { cell: 'number', names: 'texts' },
  'needs-lost-files': { cell: 'number' },
  'cell-time-spent': { ms: 'number' },

  // Models.
  'model-failed': { failure: 'text', message: 'text', advice: 'text' },
  'votes-split': { crash: 'number', asked: 'number', model: 'text', problem: 'text?' },
  'citations-disagree': { model: 'text' },
  'model-unsure': { model: 'text', confidence: 'number' },

  // Training runs. Weak: nothing speaks loudly enough. Conflicting: two sides do. Missing: what would decide was not recorded.
  'weak-no-symptom': {},
  'weak-no-rule': {},
  /** No sign of failure, and no proof of health: `lack` says which part of the proof. */
  'health-unproven': { lack: 'text' },
  'weak-hypothesis': { subcause: 'text', confidence: 'number', next: 'text?' },
  'conflicting-causes': { first: 'texts', second: 'texts' },
  'conflicting-healthy': { cause: 'text' },
  'missing-records': { needs: 'texts' },
  'missing-for-cause': { cause: 'text' },

  // Fixes.
  'no-crash-to-fix': {},
  'opinion-unverified': {},
  'no-model-for-fix': {},
  'no-edit-proposed': { model: 'text' },
  'no-edit-verified': { model: 'text' },
} as const satisfies Table;

export const reasonFields = { ...agentReasons, ...ladderReasons };
