// Finds an error or a line that speaks of a symptom, and weighs it by its place: the first error of the run can be the
// root, what came after it is a cascade.
import { continuedAfter } from '../../features/ending.js';
import type { Failure } from '../../features/failures.js';
import type { RunView } from '../../features/view.js';
import type { TextLine } from '../../record/run-record.js';
import type { Observation, RunEvidence } from '../define.js';
import { citeFailure, citeLine } from './cite.js';

interface FailureOptions {
  readonly strength: number;
  readonly subcause?: Observation['subcause'];
  /** Further condition on the error, such as the frames it came through. */
  readonly when?: (failure: Failure) => boolean;
  readonly also?: (failure: Failure) => readonly RunEvidence[];
}

export function findFailure(
  view: RunView,
  pattern: RegExp,
  when?: (failure: Failure) => boolean,
): Failure | null {
  return view.failures.find((failure) => pattern.test(failure.text) && (when?.(failure) ?? true)) ?? null;
}

/** A pattern of this strength names what it finds beyond doubt: a message's class adds nothing to its words. */
const beyondDoubt = 0.88;

/** A line of a fragment without errors that says what only an error says. */
export function findSuspect(view: RunView, pattern: RegExp, when?: FailureOptions['when']): Failure | null {
  return view.suspects.find((failure) => pattern.test(failure.text) && (when?.(failure) ?? true)) ?? null;
}

/** An observation of the first error that matches, or none. */
export function fromFailure(view: RunView, pattern: RegExp, options: FailureOptions): Observation[] {
  if (view.ending.kind === 'completed') return [];
  const failure =
    findFailure(view, pattern, options.when) ??
    (options.strength >= beyondDoubt ? findSuspect(view, pattern, options.when) : null);
  if (!failure) return [];
  return [
    {
      strength: options.strength * placeWeight(failure) * (wasHandled(view, failure) ? handled : 1),
      onset: failure.step ?? view.record.lastStep,
      evidence: [citeFailure(failure), ...(options.also?.(failure) ?? [])],
      ...(failure.order === 0 ? {} : { role: 'cascade' as const }),
      ...(options.subcause === undefined ? {} : { subcause: options.subcause }),
    },
  ];
}

/** An error that the loop dealt with explains a failure this much less. */
export const handled = 0.35;

/** Training went on after the error, and nothing says that it ended badly. */
export function wasHandled(view: RunView, failure: Failure): boolean {
  return view.ending.kind === 'unknown' && continuedAfter(view.record, failure);
}

/** A later link of the same chain often names the cause better than an unrelated later error does. */
export function placeWeight(failure: Failure): number {
  if (failure.order === 0) return 1;
  return failure.depth > 0 ? 0.85 : 0.8;
}

export function findLine({ lines }: RunView, pattern: RegExp): TextLine | null {
  return lines.find(({ text }) => text.length < 2000 && pattern.test(text)) ?? null;
}

export function fromLine(
  view: RunView,
  pattern: RegExp,
  options: { readonly strength: number; readonly subcause?: Observation['subcause'] },
): Observation[] {
  const line = findLine(view, pattern);
  return line
    ? [
        {
          strength: options.strength,
          onset: line.step,
          evidence: [citeLine(line)],
          ...(options.subcause === undefined ? {} : { subcause: options.subcause }),
        },
      ]
    : [];
}

/** Source lines and function names the error came through, innermost last. */
export function pathOf(failure: Failure): string {
  return failure.frames
    .map((frame) => `${frame.file} ${frame.function} ${frame.marked ?? frame.code ?? ''}`)
    .join('\n');
}

/** A variable of the environment that is not set. */
export function asksEnvironment({ frames }: Failure): boolean {
  return frames
    .slice(-2)
    .some(({ file, code }) => /[/\\]os\.py$/.test(file) || /\benviron\[/.test(code ?? ''));
}

/**
 * The file that was looked for holds settings, code or weights, or was to be written: not data. A path is set wrongly, or what should have made the
 * file was not run.
 */
export function isConfiguration(failure: Failure): boolean {
  if (ofRows.test(failure.message)) return false;
  return (
    /\.(py|ya?ml|toml|cfg|ini|conf|pth?|ckpt|safetensors)\b['"]?/i.test(failure.message) ||
    /\b(Config\.fromfile|load_config|read_config|OmegaConf|load_yaml|parse_args|hydra|torch\.load|load_state_dict|load_checkpoint|load_weights|load_model)\b/.test(
      pathOf(failure),
    ) ||
    opensToWrite.test(pathOf(failure))
  );
}

/** Programs that libraries start. */
const programs =
  /'(?:ffmpeg|ffprobe|sox|git(?:-lfs)?|ninja|nvcc|hipcc|gcc|g\+\+|cmake|java|nvidia-smi|rocm-smi)'$/;

/** What was looked for is a program to start, and no file of the run. */
export function isProgram({ message, frames }: Failure): boolean {
  return (
    /No such file or directory: '[\w+-]+'$/.test(message) &&
    (programs.test(message) || /[/\\]subprocess\.py$/.test(frames.at(-1)?.file ?? ''))
  );
}

/** Whatever file tells where they should be, what is not there is rows; and so is a part of the data, however it was saved. */
const ofRows =
  /\b(?:images?|labels?|annotations?|samples?|masks?|clips?)\b.{0,20}\bnot found\b|[/\\](?:train(?:ing)?|val(?:id(?:ation)?)?|test|dev|tokens|features|labels)(?:[_-]\w+)?\.pth?\b/i;

/** The folder for what a run makes is not there. */
const opensToWrite = /['"][wax]b?\+?['"]/;
