// Makes the regular expressions of our sources late in the bundle: each literal becomes an object that compiles it when a text has
// its words. The sources stay as they are written.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import ts from 'typescript';
import { root } from './setup.mjs';
import { wordsOf } from './words-of-pattern.mjs';

const runtime = join(root, 'scripts', 'lib', 'later-pattern.mjs');

export const patternsLater = {
  name: 'patterns-later',
  setup({ onLoad }) {
    onLoad({ filter: /[/\\]packages[/\\](?:core|training)[/\\]src[/\\].*\.ts$/ }, async ({ path }) => ({
      contents: withPatternsLater(await readFile(path, 'utf8'), runtime),
      loader: 'ts',
    }));
  },
};

/** The module with its patterns at its beginning, on the first line: the others keep their numbers. */
export function withPatternsLater(text, from) {
  const source = ts.createSourceFile('module.ts', text, ts.ScriptTarget.Latest, true);
  const found = [];
  const visit = (node, inside) => {
    const pattern = patternOf(node, source, inside);
    if (pattern !== null) found.push({ node, ...pattern });
    else ts.forEachChild(node, (child) => visit(child, inside || ts.isFunctionLike(node)));
  };
  visit(source, false);
  if (found.length === 0) return text;
  let [made, rest, at] = ['', '', 0];
  for (const [index, { node, pattern, needs }] of found.entries()) {
    const given = [pattern.source, pattern.flags, needs].map((one) => JSON.stringify(one));
    made += `const grusPattern${index} = new GrusPattern(${given}); `;
    rest += `${text.slice(at, node.getStart(source))}grusPattern${index}`;
    at = node.end;
  }
  return `import { LaterPattern as GrusPattern } from ${JSON.stringify(from)}; ${made}${rest}${text.slice(at)}`;
}

/** Null for what stays: no pattern, one that keeps a place, and one in a function that its words do not spare. */
function patternOf(node, source, inside) {
  const isLiteral = ts.isRegularExpressionLiteral(node);
  if (!isLiteral && (inside || !isMadeRegExp(node))) return null;
  const pattern = isLiteral ? literal(node.text) : evaluated(node, source);
  if (pattern === null || /[gyd]/.test(pattern.flags)) return null;
  const words = wordsOf(pattern);
  if (words === null && inside) return null;
  return { pattern, needs: words === null ? '' : JSON.stringify(words) };
}

function isMadeRegExp(node) {
  return ts.isNewExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'RegExp';
}

function literal(text) {
  const end = text.lastIndexOf('/');
  return new RegExp(text.slice(1, end), text.slice(end + 1));
}

/** `new RegExp(…)` of the module's own constants; null where it is made of anything else. */
function evaluated(node, source) {
  const constants = source.statements
    .filter(({ pos }) => pos < node.pos)
    .filter((one) => ts.isVariableStatement(one) && one.declarationList.flags & ts.NodeFlags.Const)
    .flatMap(({ declarationList }) => [...declarationList.declarations])
    .filter(({ initializer }) => initializer !== undefined && isText(initializer));
  const lines = constants.map(
    ({ name, initializer }) => `const ${name.text} = ${initializer.getText(source)};`,
  );
  try {
    const { source: text, flags } = runInNewContext(`${lines.join('\n')}\n(${node.getText(source)})`);
    return new RegExp(text, flags);
  } catch {
    return null;
  }
}

function isText(node) {
  return (
    ts.isStringLiteralLike(node) ||
    ts.isTemplateExpression(node) ||
    (ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'String.raw')
  );
}
