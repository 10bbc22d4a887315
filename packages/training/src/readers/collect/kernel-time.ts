// When the kernel of a host said something. Its log goes back for months: what it said on other days tells nothing of a run.

interface Span {
  readonly start: number | null;
  readonly end: number | null;
}

const months = 'JanFebMarAprMayJunJulAugSepOctNovDec';
const day = 86_400_000;
const earliest = Date.UTC(2005, 0);
/** "Nov  6 18:42:50 gn02 kernel: …" and "[Mon Nov  9 03:19:17 2026] …". */
const spelled = /^\[?(?:[A-Z][a-z]{2} )?([A-Z][a-z]{2}) +(\d{1,2}) (\d\d):(\d\d):\d\d(?: (\d{4}))?/;
const numbered = /^\[?(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)\S*\s.{0,80}\b(?:kernel|NVRM)\b/;

/** Clocks may be of other zones: a day before the run and a day after it are not told apart from it. */
export function isOfAnotherDay(text: string, { start, end }: Span): boolean {
  // Moments that are counted from the start of a run are no dates.
  if (start === null || end === null || start < earliest) return false;
  const time = timeIn(text.slice(0, 200), start);
  return time !== null && (time < start - day || time > end + day);
}

function timeIn(text: string, near: number): number | null {
  const iso = numbered.exec(text);
  if (iso) return Date.parse(`${iso[1]}T${iso[2]}Z`);
  const found = spelled.exec(text);
  const month = found ? months.indexOf(found[1]!) / 3 : -1;
  if (found === null || !Number.isInteger(month) || month < 0) return null;
  const inYear = (year: number): number =>
    Date.UTC(year, month, Number(found[2]), Number(found[3]), Number(found[4]));
  if (found[5] !== undefined) return inYear(Number(found[5]));
  const year = new Date(near).getUTCFullYear();
  return [year - 1, year, year + 1].map(inYear).sort((a, b) => Math.abs(a - near) - Math.abs(b - near))[0]!;
}
