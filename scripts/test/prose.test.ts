// No decision reads prose: nothing compares with an English phrase, and nothing looks into a text that was made for people.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { root } from '../lib/setup.mjs';

/** Words of others, or names that happen to hold a space. */
const names = new Set([
  'dry run', // the rung, as the command line calls it
  'kernel subshells', // a feature that Jupyter's protocol names so
  'SQLite format 3', // the first bytes of such a file
  'assign to', // what Python says of a target
]);

/** Rooms that read what other programs wrote. */
const readers = ['packages/training/src/readers', 'packages/training/src/watch', 'packages/bench/src'];

const phrase = /[A-Za-z,] +[A-Za-z]/;
const looking = new Set([
  'startsWith',
  'endsWith',
  'includes',
  'match',
  'test',
  'exec',
  'search',
  'indexOf',
  'split',
]);
const forPeople = /\babstained_because\b|\btextOf\(|\.explanation\b|\bfix_because\b/;
const equalities = new Set([
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
]);

function decisionsOnProse(name: string, text: string): string[] {
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const note = (node: ts.Node) =>
    found.push(`${name}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1} ${node.getText()}`);
  const visit = (node: ts.Node): void => {
    if (ts.isBinaryExpression(node) && equalities.has(node.operatorToken.kind)) {
      if ([node.left, node.right].some(isPhrase)) note(node);
      else if (forPeople.test(node.getText()) && !/\b(null|undefined)$/.test(node.getText())) note(node);
    }
    if (ts.isCaseClause(node) && isPhrase(node.expression)) note(node.expression);
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const looks = looking.has(node.expression.name.text);
      if (looks && (node.arguments.some(isPhrase) || forPeople.test(node.getText()))) note(node);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function isPhrase(node: ts.Node): boolean {
  return ts.isStringLiteralLike(node) && phrase.test(node.text) && !names.has(node.text);
}

function filesBelow(folder: string, ending: RegExp): string[] {
  return readdirSync(join(root, folder), { recursive: true })
    .map((name) => `${folder}/${String(name)}`)
    .filter((name) => ending.test(name) && !/node_modules|\/generated\//.test(name));
}

it('sees the decisions that it is to see', () => {
  const seen = (text: string) => decisionsOnProse('x.ts', text).length;
  expect(seen("if (told.because === 'the time is up') stop();")).toBe(1);
  expect(seen("why?.startsWith('the names rung failed')")).toBe(1);
  expect(seen('/rung failed/.test(report.abstained_because)')).toBe(1);
  expect(seen("switch (x) { case 'not copied': }")).toBe(1);
  expect(seen("if (reason.code === 'time-is-up') say(textOf(reason));")).toBe(0);
  expect(seen("if (verdict.rung === 'dry run' && report.abstained_because !== null) show();")).toBe(0);
});

it('no TypeScript decides on prose', () => {
  const sources = readdirSync(join(root, 'packages')).flatMap((name) =>
    filesBelow(`packages/${name}/src`, /\.tsx?$/),
  );
  const found = sources
    .filter((name) => !readers.some((room) => name.startsWith(room)))
    .flatMap((name) => decisionsOnProse(name, readFileSync(join(root, name), 'utf8')));
  expect(sources.length).toBeGreaterThan(400);
  expect(found).toEqual([]);
});

/** Words of libraries and of IPython that the agent must tell apart, for want of anything else that does. */
const ofLibraries = ['does not require grad', '<cell line'];

it('the agent sends codes, and decides on codes', () => {
  const sources = filesBelow('packages/kernel/agent', /\.py$/);
  const compared = /(?:[!=]= *|startswith\(|endswith\(|\bcase )"([^"\n]*)"|"([^"\n]*)" (?:not )?in\b/g;
  const sent = /"(?:because|doubt|reason|failed|impossible)": *"|(?:failed|impossible|reason)="/;
  const found = sources.flatMap((name) =>
    readFileSync(join(root, name), 'utf8')
      .split('\n')
      .flatMap((line, index) => {
        const phrases = [...line.matchAll(compared)].map((match) => match[1] ?? match[2] ?? '');
        const wrong = phrases.some((text) => phrase.test(text) && !ofLibraries.includes(text));
        return wrong || sent.test(line) ? [`${name}:${index + 1} ${line.trim()}`] : [];
      }),
  );
  expect(sources.length).toBeGreaterThan(60);
  expect(found).toEqual([]);
});
