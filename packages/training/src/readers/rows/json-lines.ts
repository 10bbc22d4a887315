// JSON lines: one object of numbers per line, as torchtune, the Grus hooks and countless scripts write them. Rows
// may carry settings or messages instead; bare NaN is accepted, a cut last line is noted. What is printed between the rows is
// read as the words of a console.
import { identifyMetric } from '../../record/metrics.js';
import { digestFromText } from '../bytes/digest.js';
import { numberFromText } from '../bytes/numbers.js';
import { type JsonValue, parseTolerantJson } from '../bytes/tolerant-json.js';
import type { FileRecord } from '../collect/file-record.js';
import { isStepLine } from '../console/curves/step-line.js';
import { SpokenLines } from '../console/failures/spoken-lines.js';
import { LineSplitter } from '../lines.js';
import { defineReader, type Parser } from '../reader.js';
import { isHookEvent, readHookEvent } from '../trackers/hook-events.js';
import { longestWord } from './row-words.js';
import { MixedRows, settingsKeys } from './rows.js';

export const jsonLines = defineReader({
  id: 'json-lines',
  title: 'JSON lines',
  fidelity: 8,
  matches: ({ name, text }) => {
    if (/\.(jsonl|ndjson)$/.test(name)) return true;
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    return (
      lines.length >= 2 &&
      lines.slice(0, 2).every((line) => /^\s*\{"/.test(line) && line.trimEnd().endsWith('}')) &&
      // Steps that are printed between the rows are a console's, which reads the rows too.
      !lines.some((line) => !/^\s*[{[]/.test(line) && isStepLine(line))
    );
  },
  open: (record, { text }) => new JsonLinesParser(record, rankKeyOf(text)),
});

const likeRanks =
  /^(?:world_rank|(?:proc(?:ess)?|replica|worker|trainer|stage|task|member|actor|learner)(?:_?(?:id|index|idx|rank))?)$/i;

/** A field that counts processes: rows with the same other count come from several of them, and none is left out. */
function rankKeyOf(head: string): string | null {
  const rows = head.split('\n', 80).flatMap((line) => {
    const row = /^\s*\{"/.test(line) ? parseTolerantJson(line) : undefined;
    return row !== null && typeof row === 'object' && !Array.isArray(row) ? [row] : [];
  });
  const keys = new Set(rows.flatMap((row) => Object.keys(row)));
  if (keys.has('rank') || keys.has('global_rank')) return null;
  for (const key of [...keys].filter((name) => likeRanks.test(name))) {
    const of = rows.flatMap((row) => (Number.isInteger(row[key]) ? Number(row[key]) : []));
    const distinct = new Set(of);
    const isWhole = Math.max(...of) - Math.min(...of) === distinct.size - 1 && Math.min(...of) >= 0;
    const isInStep = [...keys].some((other) => {
      const seen = new Map<number, Set<number>>();
      for (const row of rows)
        if (other !== key && Number.isInteger(row[other]) && Number.isInteger(row[key]))
          seen.set(Number(row[other]), (seen.get(Number(row[other])) ?? new Set()).add(Number(row[key])));
      return [...seen.values()].filter((here) => here.size > 1).length > 1;
    });
    if (distinct.size > 1 && isWhole && isInStep) return key;
  }
  return null;
}

const fewestLost = 2;
const mostLost = 10_000;

class JsonLinesParser implements Parser {
  private readonly lines: LineSplitter;
  private readonly rows: MixedRows;
  private readonly spoken: SpokenLines;
  /** Of the row being read. */
  private rank: number | null = null;
  private readonly digests = new Set<string>();
  private readonly words = new Map<string, string>();
  /** Names whose value is null in this row; the last row in which each was a number; those that have not come back. */
  private readonly absent: string[] = [];
  private readonly numeric = new Map<string, ReadonlyMap<string, number>>();
  private readonly lost = new Map<string, { step: number; line: number; rank: number | null }[]>();
  private bad = 0;
  private lastBad = 0;
  private lastLine = 0;

  constructor(
    private readonly record: FileRecord,
    /** What rows call their rank, where it is not called so. */
    private readonly rankKey: string | null,
  ) {
    this.rows = new MixedRows(record);
    this.lines = new LineSplitter(record, (text, line) => this.line(text, line));
    this.spoken = new SpokenLines(record);
  }

  write(chunk: Buffer): void {
    this.lines.write(chunk);
  }

  end(): void {
    const before = this.bad;
    this.lines.end();
    this.settleLost();
    this.spoken.end();
    if (this.bad > before) {
      this.record.note('truncated', 'the last line is cut: its writer was stopped', this.lastLine);
      this.bad--;
    }
    if (this.bad > 0)
      this.record.note('corrupt', `${this.bad} lines are not JSON and are not read`, this.lastBad);
  }

  private line(text: string, line: number): void {
    this.lastLine = line;
    if (!/^\s*[{[]/.test(text)) {
      this.spoken.feed(text, line);
      return;
    }
    const row = parseTolerantJson(text);
    // Launchers put the rank before a line: "[rank3]: KeyError".
    if (row === undefined && /^\s*\[/.test(text)) {
      this.spoken.feed(text, line);
      return;
    }
    if (row === undefined || row === null || typeof row !== 'object' || Array.isArray(row)) {
      this.bad++;
      this.lastBad = line;
      return;
    }
    if (isHookEvent(row)) {
      readHookEvent(this.record, row, line);
      return;
    }
    const values = new Map<string, number>();
    this.digests.clear();
    this.words.clear();
    if (this.rankKey !== null) {
      row['rank'] = row[this.rankKey] ?? null;
      delete row[this.rankKey];
    }
    const rank = row['rank'] ?? row['global_rank'];
    this.rank = typeof rank === 'number' ? rank : this.spoken.rank;
    this.absent.length = 0;
    this.collect('', row, values, line, 0);
    this.hold(values, line);
    this.rows.row(values, line, this.digests, this.words);
  }

  /**
   * Writers that know no NaN write null. A row that has lost a number, and has nothing that the last row with it had not, may be such a row:
   * it is when the number never comes back.
   */
  private hold(values: ReadonlyMap<string, number>, line: number): void {
    for (const name of values.keys()) {
      this.numeric.set(name, values);
      if (this.lost.size > 0) this.lost.delete(name);
    }
    const step = values.get('step') ?? values.get('global_step');
    for (const name of step === undefined ? [] : this.absent) {
      const before = this.numeric.get(name);
      const { metric } = identifyMetric(name);
      if (before === undefined || (metric !== 'loss' && metric !== 'grad_norm')) continue;
      if (![...values.keys()].every((other) => before.has(other))) continue;
      const rows = this.lost.get(name) ?? [];
      this.lost.set(name, rows);
      if (rows.length < mostLost) rows.push({ step: step!, line, rank: this.rank });
    }
  }

  private settleLost(): void {
    for (const [name, rows] of this.lost)
      if (rows.length >= fewestLost)
        for (const { step, line, rank } of rows)
          this.record.curve(name, { rank, hasSteps: true })?.push(step, Number.NaN, Number.NaN, line);
  }

  private collect(
    prefix: string,
    row: { [key: string]: JsonValue },
    values: Map<string, number>,
    line: number,
    depth: number,
  ): void {
    for (const [name, value] of Object.entries(row)) {
      const key = prefix === '' ? name : `${prefix}/${name}`;
      if (typeof value === 'number') values.set(key, value);
      else if (value === null) this.absent.push(key);
      else if (typeof value === 'string') this.text(key, value, values, line);
      else if (value !== null && typeof value === 'object') {
        if (settingsKeys.has(name.toLowerCase())) this.record.settingTree('', value, line);
        else if (!Array.isArray(value) && depth < 3) this.collect(key, value, values, line, depth + 1);
      }
    }
  }

  private text(key: string, value: string, values: Map<string, number>, line: number): void {
    if (value.length <= longestWord) this.words.set(key, value);
    const number = numberFromText(value);
    const digest = number === undefined ? digestFromText(value) : undefined;
    if (digest !== undefined) this.digests.add(key);
    if (number !== undefined || digest !== undefined) values.set(key, (number ?? digest)!);
    else if (/^(time|timestamp|datetime|date|ts)$/i.test(key)) {
      const time = Date.parse(value);
      if (!Number.isNaN(time)) values.set(key, time);
    } else if (/^(?:(?:err|exc|stack|trace)\w*)$/i.test(key) || value.includes('Traceback (most recent')) {
      this.spoken.say(value, line, this.rank);
    } else if (/^(message|msg|log|text|event)$/i.test(key)) {
      this.record.text.addNotable({
        text: value.slice(0, 4000),
        line,
        rank: this.rank,
        time: null,
        step: null,
        stream: null,
      });
    }
  }
}
