// The reasons in English: one text for every code, made where a person reads it and nowhere else.
import type { Cut } from './codes.js';
import type { Reason, ReasonCode, ReasonOf } from './reason.js';

/** What only the kernel itself can ask, or what answers differently each time. */
const onlyInKernel: Readonly<Record<string, string>> = {
  descriptor: "a pipe, socket or terminal of the kernel's",
  child: 'a process that an earlier cell started',
  task: 'a task or process that is at work in the kernel',
  thread: 'a thread that is at work in the kernel',
  'special-file': 'a named pipe, a device or another process',
  clock: 'the time',
  process: 'the number of the process',
  entropy: 'random bytes of the system',
  machine: 'the state of the machine',
  'temporary-folder': 'where temporary files are',
  'open-file': 'what is in a file that an earlier cell left open',
  lock: 'who holds a lock on a file',
};

const texts: { readonly [Code in ReasonCode]: (reason: ReasonOf<Code>) => string } = {
  'time-spent': () => 'time budget spent',
  'bytes-spent': () => 'byte budget spent',
  undescribed: ({ class: name, error }) => `a ${name} could not be described: ${error}`,
  'attributes-cut': ({ class: name, shown, total }) => `${name}: ${shown} of ${total} attributes described`,
  'items-cut': ({ class: name, shown, total }) => `${name} cut at ${shown} of ${total}`,
  'columns-cut': ({ shown, total }) => `values of a frame cut at ${shown} of ${total} columns`,

  'asking-failed': ({ error }) => `asking raised ${error}`,
  unreachable: () => 'the object cannot be reached without running code',
  'no-answerer': () => 'nothing here answers that of such an object',
  'not-looked-for': () => 'programs are not looked for on this system',
  'class-not-loaded': () => 'the class is not loaded',
  'options-unknown': () => "Keras is not loaded, or holds objects of the user's own",
  'value-computed': () => 'its value would have to be computed',
  'slot-empty': () => 'the slot is empty',
  'class-computes': () => 'the class computes attributes',
  'module-computes': () => 'the module computes attributes',
  removed: ({ advice }) => `removed: ${advice}`,
  'star-import': () => 'it is a star import',
  'is-submodule': () => 'it is a submodule',
  'never-mentioned': () => 'the source of the module never mentions it',
  'module-not-imported': () => 'the module is not imported',
  'blocked-module': () => 'the module is blocked in sys.modules',
  'parent-not-package': () => 'the parent is not a package',
  'parent-unloaded': () => 'the parent is not imported and may add modules',
  'parent-not-module': () => 'the parent is not a module',
  'parent-computes': () => 'the parent computes attributes',
  'path-computed': () => 'the path of the package is computed',
  'finder-not-asked': () => 'a finder of the session’s own that may know it was not asked',
  'keys-not-plain': () => 'not a plain dict with plain keys, or too many of them',
  'labels-not-plain': () => 'not plain labels of a flat index, or too many of them',
  'not-declared': () => 'not a loaded class of scikit-learn that declares its parameters',
  'own-transformers': () => 'the session has input transformers of its own',
  'cell-too-long': () => 'the cell is too long to be read in the time there is',

  'kernel-large': ({ mb }) => `the kernel holds more than ${mb} MB, and the cell looks short`,
  'platform-cannot-fork': ({ platform }) => `a kernel on ${platform} cannot be forked safely`,
  'cell-running': () => 'the kernel is running a cell',
  'own-child-handler': () => 'the notebook handles the end of child processes itself (SIGCHLD)',
  'debugger-attached': () => 'a debugger is attached to the kernel',
  'library-in-use': ({ library }) => `${library} is in use in the kernel, and does not survive a fork`,
  'library-threads': ({ library }) => `the threads of ${library} do not survive a fork`,
  'cluster-open': ({ library }) => `a session of ${library} is open in the kernel`,
  'thread-at-work': ({ thread }) => `the thread ${thread} is at work in the kernel`,
  'pool-stuck': ({ library }) => `the thread pool of ${library} cannot be dropped before a fork`,
  'needs-gpu': () => 'the cell uses CUDA, which does not work in a fork',
  'gpu-lost': () =>
    'an earlier cell failed on the GPU itself, and nothing works there any more: restart the kernel',
  'run-meanwhile': () => 'a cell was run meanwhile',
  'isolation-too-weak': () => 'the isolation asked for is weaker than the one required',
  'no-isolation': ({ tried }) => `no isolation is possible: ${tried.map(textOf).join('; ')}`,
  'isolation-failed': ({ strength, error }) => `${strength}: ${error}`,
  'processor-unknown': () => "this processor's system calls are not known",
  'no-own-proc': () => 'namespaces: /proc cannot be mounted anew',
  'no-landlock': () => 'this system has no Landlock',

  'preparing-failed': ({ error }) => error,
  'too-large-to-carry': ({ megabytes }) => `the objects that the cell needs take more than ${megabytes} MB`,
  'cannot-carry': ({ name, error }) =>
    `${name ?? 'something that the cell needs'} cannot be carried to another process (${error})`,
  'cannot-rebuild': ({ error }) => `the objects could not be rebuilt in another process (${error})`,
  'carried-unequal': ({ names }) => `${list(names)} did not arrive in another process as it is in the kernel`,
  'modules-edited': ({ names }) => `${list(names)} was edited after the kernel imported it`,

  'asks-for-input': () => 'the cell asks for input',
  'ends-kernel': () => 'the cell ends the kernel',
  'cannot-be-run': ({ error }) => `the cell could not be run: ${error}`,
  'shown-and-went-on': ({ error }) => `${error} was shown, yet the cell went on`,
  'ends-itself': ({ error }) => `the cell ends itself with ${error}`,

  'uses-network': ({ what }) => `the cell uses the network, which the copy does not have (${what})`,
  'isolation-refused': ({ strength, what }) => `the ${strength} isolation refused ${what}`,
  'program-needs-network': ({ program }) => `the cell starts a program that needs the network (${program})`,
  'alone-in-copy': ({ error }) => `${error} may come from the copy having no network and no other processes`,
  'file-identity': () => 'libraries that recognise files by their inode misbehave in a copy',
  'cell-runs-meanwhile': () => 'the cell itself runs at the same time, and both see the same files',
  'threads-missing': ({ threads }) => `threads of the notebook's own are not in the copy (${list(threads)})`,
  'copy-may-cause': ({ words }) => `the copy itself may have caused this (${words})`,
  'other-gpu-use': () => 'the copy may not use the GPU as the kernel would',
  'error-without-number': ({ error }) => `${error} without a number may come from the copy`,
  'error-of-isolation': ({ error, number }) => `${error} (${number}) may come from the isolation`,
  'other-place': ({ path }) => `the copy sees another ${path}`,
  'less-memory': ({ error }) => `the copy has less memory than the kernel (${error})`,
  'cannot-know': ({ source }) => `it depends on what a copy cannot know: ${onlyInKernel[source] ?? source}`,

  'rows-sampled': ({ names }) => `only a sample of the rows of ${list(names)} was carried to the twin`,
  'rows-missing': () => 'only a sample of the rows was carried to the twin, and it may depend on the others',
  'names-left-behind': () => 'not every name of the kernel was carried to the twin',
  'no-gpu': () => 'the twin has no GPU',
  'no-gpu-strayed': ({ what }) => `the twin has no GPU: ${strays[what] ?? what}`,
  'no-gpu-precision': () => 'the twin has no GPU, and numbers have another precision there',
  'gpu-placement': () =>
    'the twin has no GPU: on which device things are, and whether they fit, is not covered',
  'gpu-values-missing': () => 'values on the GPU were not carried to the twin',
  'gpu-asked': () =>
    "the cell asks how much of the GPU's memory is in use, which is another number in a twin",
  'gpu-captured': () =>
    'the cell captures work of the GPU as a graph, and what the kernel has done and holds there decides whether it can',
  'gpu-memory': ({ need, free }) =>
    `this cell will need about ${need} GB of the GPU's memory, and ${free} GB are free`,
  'compiled-before': () =>
    'the cell compiles code that the kernel has compiled before, and what its compiler has kept is not in the twin',
  'libraries-changed': ({ names }) =>
    `the notebook has changed what libraries hold (${list(names)}), and that was not carried to the twin`,
  'steps-left-behind': () =>
    'a gradient goes back to a tensor of an earlier cell, and the steps that made it were not carried to the twin',
  'of-one-process': () =>
    'the check that failed asks which object it is, or where it lies, which may differ in a twin',

  'sleep-cut': () => 'sleep was cut short before it, and something may not have been waited for',
  'fit-cut': () => 'it was raised by a fit that was cut short',
  'finished-cut': ({ cuts }) => `loops and fits were cut short (${cutList(cuts)})`,
  'cut-wrote-files': ({ cuts }) => `${cutBefore(cuts)}, and it may depend on files that they write`,
  'cut-not-followed': ({ cuts }) => `${cutBefore(cuts)}, and it is not known what it depends on`,
  'cut-bound-names': ({ cuts }) => `${cutBefore(cuts)}, and they may have bound the name`,
  'cut-produced': ({ cuts, what }) =>
    `${cutBefore(cuts)}, and it depends on what they produced (${produced[what] ?? what})`,
  'cut-values': ({ cuts, what }) =>
    `${cutBefore(cuts)}, and with other numbers than they produced (${produced[what] ?? what}) it may end otherwise`,
  'cut-forms': ({ cuts, what }) =>
    `${cutBefore(cuts)}, and with other numbers or after other rounds (${produced[what] ?? what}) it may end otherwise`,

  'part-without-value': () => 'a part of it has no value',
  'time-is-up': () => 'the time for questions is up',
  'takes-too-long': () => 'it takes too long',
  'ended-by': ({ error }) => `it ended with ${error}`,
  'name-gone': () => 'the name is gone',
  'not-loaded': ({ name }) => `there is no ${name}`,
  'file-too-long': () => 'the file is long',
  'cannot-be-copied': () => 'it cannot be copied',
  'parameters-not-plain': () => 'its parameters are no plain dict',
  'gives-iterator': () => 'it gives an iterator',
  'depends-on-data': () => 'it depends on the data',
  'looks-for-names': () => 'it may look for names where it is called',
  'not-with-real-data': ({ error }) => `${error} may not come with the real data`,
  'gradients-unknown': () => 'it is not known which tensors require gradients',

  'rung-failed': ({ rung, error }) => `the ${rung} rung failed: ${error}`,
  'kernel-unread': () => 'the kernel could not be read',
  'interpreter-guessed': ({ python, error }) =>
    `${error} in ${python}; but whether the notebook will run with it is a guess`,
  'not-python': () => 'the cell is not Python',
  'for-other-rung': ({ rung }) => `an earlier crash is for the ${rung} rung`,
  'nothing-certain': ({ reservations }) =>
    ['nothing certain was found', ...reservations.map(textOf)].join('; '),
  suppressed: ({ check, by }) => `${check} is suppressed (${by})`,
  'check-failed': ({ check, error }) => `check ${check} failed: ${error}`,
  'walk-failed': ({ error }) => `the cell could not be followed: ${error}`,
  'steps-spent': () => 'step budget spent',
  'no-answer-came': () => 'no answer came',
  'only-shown': () => 'the question was shown instead of asked',
  'not-in-record': ({ what }) => `not part of the record: ${list(what)}`,

  'dry-off': () => 'dry runs are switched off',
  'dry-declined': () => 'a dry run was not wanted',
  'short-cell': () => 'the cell is short and easily repeated',
  'not-assumed': ({ statement, error }) =>
    `"${statement}" could not be assumed: ${error ?? 'it gave no verdict'}`,
  'copy-refused': ({ because }) => `the kernel was not copied: ${textOf(because)}`,
  'no-verdict': ({ because }) => `the copy gave no verdict: ${textOf(because)}`,
  'finished-doubtfully': ({ doubt }) => `it finished in the copy, but ${textOf(doubt)}`,
  'raised-doubtfully': ({ error, doubt }) => `${error} in the copy is inconclusive: ${textOf(doubt)}`,
  'dry-time-spent': ({ ms, where, ahead }) =>
    `the cell did not end within the budget of the dry run (${duration(ms)}${where ? `; it was in ${where}` : ''})${ahead ? `; ${textOf(ahead)}` : ''}`,
  'ahead-finished': () => 'with its loops cut short it finished',
  'ahead-raised': ({ error, line, doubt }) =>
    `with its loops cut short it raised ${error} in line ${line}${doubt ? `, but ${textOf(doubt)}` : ''}`,
  'gave-way': () => 'the dry run gave way to a cell that was started meanwhile',
  'copy-died': ({ signal }) => `the copy died${signal ? ` of ${signal}` : ''} before the cell ended`,
  'not-prepared': ({ what, because }) =>
    `the ${what} could not be prepared${because ? `: ${textOf(because)}` : ''}`,
  'earlier-unfinished': () => 'an earlier cell did not finish in the copy',
  'copy-wrote-result': () => 'the copy wrote into its result',

  'behind-crash': ({ cell }) => `cell ${cell} crashes before it`,
  'needs-lost-names': ({ cell, names }) =>
    names.length === 0
      ? `cell ${cell} does not run, and may have changed anything`
      : `it needs ${list(names)}, which cell ${cell} does not get to`,
  'needs-lost-files': ({ cell }) => `it misses a file, which cell ${cell} may not get to write`,
  'cell-time-spent': ({ ms }) => `it was run, and had not ended after ${duration(ms)}`,

  'model-failed': ({ message, advice }) => `${message}. ${advice}`,
  'votes-split': ({ crash, asked, model, problem }) =>
    `${crash} of ${asked} answers of ${model} predict a crash, which is no agreement${problem ? `: ${problem}` : ''}`,
  'citations-disagree': ({ model }) => `the answers of ${model} do not agree on what they can cite`,
  'model-unsure': ({ model, confidence }) => `${model} is only ${confidence} sure`,

  'weak-no-symptom': () => 'weak: no detector found a symptom',
  'health-unproven': ({ lack }) =>
    `no sign of failure, but no proof of health either: ${lacks[lack] ?? lack}`,
  'weak-no-rule': () => 'weak: no rule matched',
  'weak-hypothesis': ({ subcause, confidence, next }) =>
    `weak: the best hypothesis, ${subcause}, has a confidence of ${confidence}${next ? ` and ${next} follows` : ''}`,
  'conflicting-causes': ({ first, second }) =>
    `conflicting: ${named(first)} and ${named(second)} are about equally likely`,
  'conflicting-healthy': ({ cause }) =>
    `conflicting: ${cause} shows, but runs like this one are mostly healthy`,
  'missing-records': ({ needs }) =>
    `missing: the run did not record ${list(needs.map((need) => records[need] ?? need))}`,
  'missing-for-cause': ({ cause }) =>
    `missing: ${cause} is likely, but runs like this one do not tell their cause`,

  'no-crash-to-fix': () => 'no crash is predicted',
  'opinion-unverified': () =>
    'the crash is an opinion of the model, and no edit of it was verified; --verify-fix runs one in a copy',
  'no-model-for-fix': () => 'no check knows the edit, and no model is configured (--model or GRUS_MODEL)',
  'no-edit-proposed': ({ model }) => `${model} proposes no edit`,
  'no-edit-verified': ({ model }) =>
    `no edit that ${model} proposes avoids the crash and keeps the work of the cell`,
};

/** What cut rounds decide that has no name in the code. */
const produced: Readonly<Record<string, string>> = {
  '<files>': 'files that they write',
  '<chance>': 'chance or the clock',
  '<rounds>': 'whether the loop comes this far',
};

/** What happened in a twin whose outcome may differ on a GPU. */
const strays: Readonly<Record<string, string>> = {
  state: 'the cell asks for the state of the GPU',
  loading: 'what is loaded may belong on the GPU',
  'no-such-device': 'there is no such device',
  'other-failure': 'this fails in another way on a GPU',
  'unknown-device': 'it is not known on which device a tensor would be',
  'mixed-devices': 'tensors on the GPU meet tensors on the CPU',
  values: 'the cell looks at values on the GPU',
};

/** What is missing of the proof that a run is well, by its code. */
const lacks: Readonly<Record<string, string>> = {
  end: 'nothing says that it reached its end',
  held_out: 'nothing was measured on data that training did not see',
  baseline: 'held-out data was measured, but not what a constant answer would get',
  no_skill: 'held-out data does no better than a constant answer',
  gap: 'training and held-out data do not tell the same story',
  past_best: 'held-out data ends clearly worse than its best',
  few: 'it was evaluated once or twice, which does not show where it settles',
  rate: 'its learning rate is far above what its optimizer usually takes',
  standstill: 'every evaluation gives the same to the last digit: nothing was learned between them',
  modest: 'held-out data does better than a constant answer, but far from well',
  too_good: 'held-out data is almost perfect, as it is when the answers have leaked into the inputs',
  known_rows: 'what the run shows of its held-out data could as well be of rows that it was trained on',
  no_score: 'losses of players or of a policy do not say how good they are, and the reward did not rise',
};

const records: Readonly<Record<string, string>> = {
  text: 'its console output',
  loss: 'a training loss',
  eval: 'a validation loss or metric',
  gradient: 'the gradient norm',
  learning_rate: 'the learning rate',
  memory: 'device memory',
  host_memory: 'host memory',
  throughput: 'step times',
  batch: 'facts about the batches (lengths, label and token ranges, NaN share)',
  settings: 'its settings',
  exit: 'how it ended (exit code, scheduler record)',
};

/** The reason for people. */
export function textOf(reason: Reason): string {
  return (texts[reason.code] as (reason: Reason) => string)(reason);
}

function list(words: readonly string[]): string {
  return words.join(', ');
}

/** A sub-cause and its category. */
function named([subcause, category]: readonly string[]): string {
  return `${subcause} (${category})`;
}

function cutList(cuts: readonly Cut[]): string {
  const rounds = ({ done, of }: Cut) => (of === null ? `${done} rounds` : `${done} of ${of}`);
  return list(cuts.slice(0, 4).map((cut) => `line ${cut.line}: ${cut.what} ${rounds(cut)}`));
}

function cutBefore(cuts: readonly Cut[]): string {
  return `loops and fits were cut short before it (${cutList(cuts)})`;
}

function duration(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
