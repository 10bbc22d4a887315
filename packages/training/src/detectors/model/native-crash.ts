/**
 * # A process crashed outside of Python
 *
 * ## What
 * A rank died of a memory fault or an illegal instruction (SIGSEGV, SIGILL, SIGFPE), or of an assertion in compiled code, without a traceback.
 *
 * ## Why
 * An extension, a custom kernel or a library in another version than the one it was built for wrote or read where it must not.
 *
 * ## Example
 * `Fatal Python error: Segmentation fault`, `exitcode : -11 (pid: 812) (SIGSEGV)`.
 *
 * ## Stays silent
 * Where a shell's "Segmentation fault" is all there is: that is no more than a guess. For a process that was killed from outside, for one that gave up because a peer was gone, and in a run that completed.
 */
import type { RunView } from '../../features/view.js';
import { saidToDiffer } from '../../ranks/differing/compared.js';
import { isConsequence } from '../../ranks/lost/consequence.js';
import { tellsRanks } from '../../ranks/present/presence.js';
import type { TextLine } from '../../record/run-record.js';
import { defineDetector } from '../define.js';
import { citeExit, citeLine } from '../shared/cite.js';
import { findLine } from '../shared/match.js';
import { failedByItself } from '../shared/standstill.js';

const crashes: ReadonlySet<string> = new Set(['SIGSEGV', 'SIGILL', 'SIGFPE']);
const fatal =
  /Fatal Python error: (?:Segmentation fault|Illegal instruction|Floating point exception|Aborted)|Segmentation fault \(core dumped\)|^(?:Program|Thread .{1,80}) received signal SIG(?:SEGV|ILL|FPE)\b/i;
/** What the C library says of a heap or a stack that was written over, and C++ of a slip that nobody caught. */
const corrupted =
  /\bdouble free or corruption\b|\b(?:free|malloc|realloc|calloc)\(\): (?:invalid|corrupted|memory corruption|unsorted|unaligned|mismatching)|\bcorrupted (?:size vs\. prev_size|double-linked list)|\bmunmap_chunk\(\): invalid|\bmalloc_consolidate\(\): |\bstack smashing detected\b/;
const thrown =
  /\binstance of 'std::(?:length_error|out_of_range|logic_error|domain_error|bad_\w*(?:call|cast|access))'/;
const assertion =
  /^[\w./+-]+: .{0,200}Assertion .{1,200} failed\.|Assertion failed: .{1,200}, file .{1,200}, line \d+/;

const shellSays = /segmentation fault|core dumped|signal 11\b/i;

/** A dying process's own words, or the addresses that a native stack is printed with. */
const placed = /Fatal Python error|Assertion|received signal SIG|^\s*(?:#\d+|@) +0x[0-9a-f]+/;

/** A shell's two words about one process do not say whose code it was, a library's or a broken device's. */
function saysWhere(view: RunView): boolean {
  return (
    view.record.stacks.length > 0 ||
    view.failures.length > 0 ||
    findLine(view, placed) !== null ||
    findLine(view, corrupted) !== null
  );
}

const linesBefore = 12;

/** Its library said right before that a peer is gone. */
function gaveUpBefore({ lines }: RunView, { at: { file, line = 0 } }: TextLine): boolean {
  return lines.some(
    ({ at, text }) =>
      at.file === file &&
      (at.line ?? line) < line &&
      at.line! >= line - linesBefore &&
      isConsequence({ type: '', message: text.slice(0, 2000), frames: [] }),
  );
}

export const nativeCrash = defineDetector({
  id: 'model/native-crash',
  subcause: 'native_crash',
  role: 'root',
  signal: 'exit',
  needs: ['text'],
  outweighs: ['text'],
  detect: (record, _features, { view }) => {
    const slip = view.failures.every(({ type }) => type === '') ? findLine(view, thrown) : null;
    if (slip && !tellsRanks(record))
      return [{ strength: 0.82, onset: slip.step, evidence: [citeLine(slip)] }];
    if (saidToDiffer(view) || failedByItself(view)) return [];
    const exit = record.exits.find(({ signal }) => signal !== null && crashes.has(signal));
    const guess = !tellsRanks(record) && !saysWhere(view);
    if (exit)
      return [{ strength: guess && shellSays.test(exit.text) ? 0.5 : 0.9, evidence: [citeExit(exit)] }];
    // A library that gives up on its peers aborts the process as well.
    const aborted = record.exits.some(({ signal }) => signal === 'SIGABRT');
    const line =
      findLine(view, fatal) ?? findLine(view, corrupted) ?? (aborted ? findLine(view, assertion) : null);
    const lost =
      view.failures.some((failure) => failure.rank === line?.rank && isConsequence(failure)) ||
      (line?.text.includes('Aborted') === true && gaveUpBefore(view, line));
    return line && !lost
      ? [{ strength: guess ? 0.5 : 0.88, onset: line.step, evidence: [citeLine(line)] }]
      : [];
  },
});
