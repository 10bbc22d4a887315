// Complaints in a pasted fragment that no traceback and no class of an exception announces: a line that calls itself an error, a
// sentence of Python's own, or a refusal after which no program goes on.
import type { Subcause } from '../causes/table.js';
import { complaintOf } from '../messages/complaints.js';
import { familyOf, warnedOf } from '../messages/families.js';
import { exceptionOf } from '../messages/sentences.js';
import { firstSentence } from '../messages/words.js';
import { withoutAdvice } from '../readers/console/failures/advice.js';
import type { RunRecord, TextLine } from '../record/run-record.js';

export interface PastedComplaint {
  readonly line: TextLine;
  /** Class of the exception where the sentence gives it away; else empty. */
  readonly exception: string;
  readonly message: string;
}

/** Told as a warning, or as something that was dealt with. */
export const passedOver =
  /^[^A-Za-z]{0,60}(?:[WID](?:\d{4})?|INFO|WARN(?:ING)?|DEBUG)\b(?!.*lost task)|Warning\b|\bwarnings\.warn\b|\bretry|ignor(?:ed|ing)|skipp(?:ed|ing)|falling back|will (?:be|proceed|continue|try|use)|deprecat/i;

/** What an operation gave back as its status is no warning, at whatever level its library logs it. */
const status =
  /^[A-Z] \S+\] (?:Invalid argument|Resource exhausted|Failed precondition|Data loss|Unimplemented): /;

/** What a program does about it, said in the same breath. */
const helpedItself =
  /from scratch|(?<!\b(?:expected|got|found|but|not)\b.{0,80})\binstead\b|using (?:the )?default|\b(?:resiz|adjust|reduc|limit|clamp|disabl)(?:ed|ing)\b|\btruncating\b|\bpadd(?:ed|ing) (?:to|the)\b|(?:(?<!\bbe )converted|\b(?:convert|build|compil|download|creat)ing)\b|\bno-?op\b/i;

/** What the reader is asked to do is not yet done. */
const plea = /\bplease\b[^.]*/gi;

/** The line says of itself that it is an error: a level, the letter of a C++ log, or the word at its head. */
const severe =
  /^[^A-Za-z]{0,60}(?:[\w.-]{1,30}: )?(?:[EF](?:\d{4} [\d:.]+ \d+)?(?= )|(?:ERROR|FATAL|CRITICAL)\b)|^[\w.-]{1,30}: (?:[Ee]rror|[Ff]atal): |^\s*(?:[\w./-]{1,40} )?(?:[Ee]rror|[Ff]ailure)\b(?! rate)|\[(?:[Ff]atal|FATAL|[Ee]rror|ERROR)\]/;
const header =
  /^[^A-Za-z]{0,60}[EF](?:\d{4} [\d:.]+ \d+)? [^\s\]]+\]\s*|^.{0,120}\[(?:[Ff]atal|FATAL|[Ee]rror|ERROR)\]\s*/;

/** Complaints whose words leave no doubt, wherever they stand. */
const plain: ReadonlySet<Subcause> = new Set([
  'label_out_of_range',
  'degenerate_labels',
  'ragged_batch',
  'disk_full',
  'open_files',
  'in_place_change',
  'graph_reused',
  'unused_parameters',
] as const);

/** Complaints that stop every program, where the sentence is a refusal and not a remark. */
const stopping: ReadonlySet<Subcause> = new Set([
  'gpu_capacity',
  'checkpoint_mismatch',
  'version_mismatch',
  'missing_package',
  'empty_data',
  'network',
  'host_memory',
] as const);
const refusal =
  /\bmismatch for\b|\bis not (?:available|found)\b|no kernel image|ran out of memory|^no \w+ found\b|^tried to allocate\b|could(?: not|n't) (?:connect|reach)|max retries exceeded|\bversion .{1,60} not found\b|\bundefined symbol: \w|\bcannot be run in\b|\bunable to allocate [\d.]+ \wi?B\b/i;

/** What an operation refuses of the tensors it is given. */
const ofTensors: ReadonlySet<Subcause> = new Set([
  'shape_mismatch',
  'dtype_mismatch',
  'device_mismatch',
] as const);
const operationRefuses =
  /\bmust (?:be|have|match)\b|\bexpected\b.{0,80}\b(?:but|got)\b|incompatible shapes|\bcannot (?:convert|be)\b|\bcan't convert\b|not implemented for\b/i;

/** A command with its options is repeated, not complained of. */
const isCommand = (said: string): boolean => (said.match(/\s['"]?--?[a-z]/g)?.length ?? 0) >= 3;

/**
 * The first line of a fragment that complains in words of which there is only one reading; without one, the first that complains of a
 * thing at all; and without that, a warning that tells enough.
 */
export function complaintIn(record: RunRecord): PastedComplaint | null {
  let ofThing: PastedComplaint | null = null;
  let warned: PastedComplaint | null = null;
  for (const line of record.text.lines) {
    const said = withoutAdvice(line.text).trim();
    if (said.length < 20 || said.length > 1000 || wentOnAfter(record, line) || tellsAnEnd(record, line))
      continue;
    const exception = exceptionOf(said);
    if (exception !== '' && !helpedItself.test(said)) return { line, exception, message: said };
    if (isCommand(said)) continue;
    const message = said.replace(header, '').replace(status, '');
    const first = firstSentence(message);
    if (
      (passedOver.test(said) && !status.test(said)) ||
      /\bWARN(?:ING)?\b/.test(said) ||
      helpedItself.test(first.replace(plea, ''))
    ) {
      if (warned === null && warnedOf(message)) warned = { line, exception: '', message };
      continue;
    }
    const utterance = { text: first, exception: '', place: '' };
    if (ofThing === null && familyOf(utterance)) ofThing = { line, exception: '', message };
    const complaint = complaintOf(utterance);
    if (complaint === null || complaint.certainty < 0.7) continue;
    // The ranks' own detectors read who waited for whom.
    if (
      (severe.test(said) && complaint.subcause !== 'collective_timeout') ||
      isRefusal(complaint.subcause, message)
    )
      return { line, exception: '', message };
  }
  return ofThing ?? warned ?? wrappedIn(record);
}

/** What another program says of its own work: `cp: `, `ffmpeg: `. */
const ofTool = /^(?!error|fatal)[a-z][\w.+-]{0,20}: /;

/** What is asked for and not given: nobody speaks so of what went well. */
const refuses =
  /\b(?:error|fail(?:ed|s|ure)?|cannot|can(?:'t| not)|could(?: not|n't)|unable|must|should be|invalid|unexpected|expected|got|denied|refused|exceed(?:s|ed)|corrupt\w*|truncated|mismatch\w*|no such|unsupported|assertion|changed|not (?:implemented|match\w*|divisible|a (?:zip|gzip|multiple))|(?:do|did|does)(?: not|n't)|modified by|a second time|ended before|too many|out of (?:bounds|range|memory|space)|no (?:kernel|space)|contains? (?:nan|inf)\w*|undefined symbol|WinError|max retries)\b|\[Errno|\bnot in \[/i;
/** How things stand, and what was done about it. */
const remark =
  /\b(?:is|are|was|were) (?:empty|not (?:installed|available|found|set|used))\b|\baccordingly\b|\bindexing errors\b/i;
/** The program is at work. */
const atWork =
  /^\W*(?:INFO\W+)?(?:(?:Start|Load|Sav|Train|Resum|Us|Build|Initiali[sz]|Creat|Writ|Runn|Finish|Evaluat|Download|Scann)(?:ing|ed)\b|(?:Model|Data ?set|Data) (?:built|ready|loaded)\b)/i;

/**
 * What may be an error's message without its class: lines that are no remark. Whether one is an error, only words
 * that nobody else uses can tell.
 */
export function messagesIn(record: RunRecord): { readonly line: TextLine; readonly message: string }[] {
  const { lines } = record.text;
  return lines
    .slice(lines.findLastIndex(({ text }) => atWork.test(text)) + 1)
    .map((line) => ({ line, message: withoutAdvice(line.text).trim() }))
    .filter(
      ({ line, message }) =>
        message.length >= 20 &&
        message.length <= 2000 &&
        refuses.test(message) &&
        !(
          remark.test(message) ||
          passedOver.test(message) ||
          helpedItself.test(firstSentence(message).replace(plea, ''))
        ) &&
        !(
          ofTool.test(message) ||
          isCommand(message) ||
          wentOnAfter(record, line) ||
          tellsAnEnd(record, line)
        ),
    );
}

/** More lines hold more than one message. */
const mostWrapped = 15;

/** A message that was broken anywhere, read as one. */
function wrappedIn({ text, series }: RunRecord): PastedComplaint | null {
  const [line] = text.lines;
  const { length } = text.lines;
  if (!line || length < 2 || length > mostWrapped || series.some((points) => points.length > 0)) return null;
  const said = text.lines.map((entry) => entry.text.trim()).join(' ');
  if (said.length > 2000 || passedOver.test(said) || helpedItself.test(said) || isCommand(said)) return null;
  const complaint = complaintOf({ text: said, exception: '', place: '' });
  return complaint !== null && complaint.certainty >= 0.7 && isRefusal(complaint.subcause, said)
    ? { line, exception: '', message: said }
    : null;
}

function isRefusal(subcause: Subcause, said: string): boolean {
  return (
    plain.has(subcause) ||
    (stopping.has(subcause) && refusal.test(said)) ||
    (ofTensors.has(subcause) && operationRefuses.test(said))
  );
}

/** How a process ended does not tell why, whatever stood on its command line. */
export function tellsAnEnd({ exits }: RunRecord, { at }: TextLine): boolean {
  return exits.some((exit) => exit.at.file === at.file && exit.at.line === at.line);
}

/** Something was measured after the line: it ended nothing. */
export function wentOnAfter({ series }: RunRecord, { at }: TextLine): boolean {
  return series.some((points) => {
    const last = points.length === 0 ? null : points.where(points.length - 1);
    return last !== null && last.file === at.file && (last.line ?? 0) > (at.line ?? 0);
  });
}
