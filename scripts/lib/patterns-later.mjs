// Makes the regular expressions of our sources late in the bundle: each becomes an object that compiles it when a text has its words. What
// they are made of lies in a table beside the bundle. The sources stay as they are written.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { tableOf } from './pattern-table.mjs';
import { root } from './setup.mjs';
import { withoutBarrel } from './without-barrel.mjs';
import { wordsOf } from './words-of-pattern.mjs';

const runtime = join(root, 'scripts', 'lib', 'later-pattern.mjs');

/** The name of the table. */
const file = 'patterns.bin';

/** By path, as they were parsed last. */
const modules = new Map();

/** A plugin for the bundler, and the file that belongs beside what it makes. `usual`: a text, to know which letters stand together seldom. */
export function patternsLater(usual) {
  const patterns = [];
  const contents = new Map();
  for (const path of sources())
    contents.set(path, withPatternsLater(withoutBarrel(readFileSync(path, 'utf8')), patterns, path));
  const plugin = {
    name: 'patterns-later',
    setup({ onLoad, onResolve }) {
      onLoad({ filter: /[/\\]packages[/\\](?:core|training)[/\\]src[/\\].*\.ts$/ }, ({ path }) => ({
        contents: contents.get(path),
        loader: 'ts',
      }));
      onResolve({ filter: /^grus:patterns$/ }, ({ path }) => ({ path, namespace: 'patterns' }));
      onLoad({ filter: /./, namespace: 'patterns' }, () => ({
        contents: `import { readFileSync } from 'node:fs';
          import { patternsOf } from ${JSON.stringify(runtime)};
          export const pattern = patternsOf(() => readFileSync(import.meta.dirname + '/${file}'));`,
        resolveDir: root,
      }));
    },
  };
  return { plugin, part: { file, bytes: tableOf(patterns, usual) } };
}

function sources() {
  return ['core', 'training'].flatMap((name) => {
    const folder = join(root, 'packages', name, 'src');
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .sort()
      .map((path) => join(folder, path));
  });
}

/** The module with its patterns at its beginning, on the first line: the others keep their numbers. Adds them to the list. */
export function withPatternsLater(text, patterns, path = 'module.ts') {
  const source = parsed(path, text);
  const found = [];
  const visit = (node, inside) => {
    const pattern = patternOf(node, source, inside);
    if (pattern !== null) found.push({ node, pattern });
    else ts.forEachChild(node, (child) => visit(child, inside || ts.isFunctionLike(node)));
  };
  visit(source, false);
  if (found.length === 0) return text;
  let [made, rest, at] = ['', '', 0];
  for (const [index, { node, pattern }] of found.entries()) {
    made += `const grusPattern${index} = /* @__PURE__ */ grusPattern(${patterns.push(pattern) - 1}); `;
    rest += `${text.slice(at, node.getStart(source))}grusPattern${index}`;
    at = node.end;
  }
  return `import { pattern as grusPattern } from 'grus:patterns'; ${made}${rest}${text.slice(at)}`;
}

/** Null for what stays: no pattern, one that keeps a place, and one in a function that its words do not spare. */
function patternOf(node, source, inside) {
  const isLiteral = ts.isRegularExpressionLiteral(node);
  if (!isLiteral && (inside || !(ts.isNewExpression(node) || ts.isCallExpression(node)))) return null;
  const pattern = isLiteral ? literal(node.text) : madeBy(node, source);
  if (pattern === null || /[yd]/.test(pattern.flags)) return null;
  const words = wordsOf(pattern);
  if (inside && (words === null || (pattern.flags.includes('g') && !isWhollyApplied(node)))) return null;
  return pattern;
}

/** By what begins at the text's beginning and keeps no place. */
function isWhollyApplied({ parent }) {
  return (
    ts.isCallExpression(parent) &&
    ts.isPropertyAccessExpression(parent.expression) &&
    ['match', 'matchAll', 'replace', 'replaceAll', 'search', 'split'].includes(parent.expression.name.text)
  );
}

function literal(text) {
  const end = text.lastIndexOf('/');
  return new RegExp(text.slice(1, end), text.slice(end + 1));
}

/** What a call makes of constants, of its module and of those that it imports; null where that is no pattern. */
function madeBy(call, source) {
  const { expression } = call;
  if (!ts.isIdentifier(expression)) return null;
  if (expression.text !== 'RegExp' && typeof constantOf(expression.text, call.pos, source) !== 'function')
    return null;
  const made = valueMadeBy(call, source);
  return made instanceof RegExp ? made : null;
}

/** Undefined where it is no text, no pattern and makes none, or is made of anything else. */
function constantOf(name, before, source) {
  for (const statement of source.statements) {
    if (statement.pos > before) return undefined;
    if (ts.isImportDeclaration(statement)) {
      const bindings = statement.importClause?.namedBindings;
      const imported =
        bindings && ts.isNamedImports(bindings) && bindings.elements.find((one) => one.name.text === name);
      if (!imported || !statement.moduleSpecifier.text.startsWith('.')) continue;
      const path = join(source.fileName, '..', statement.moduleSpecifier.text.replace(/\.js$/, '.ts'));
      const module = modules.get(path) ?? parsed(path, readFileSync(path, 'utf8'));
      return constantOf((imported.propertyName ?? imported.name).text, module.end, module);
    }
    if (!ts.isVariableStatement(statement) || !(statement.declarationList.flags & ts.NodeFlags.Const))
      continue;
    const declared = statement.declarationList.declarations.find((one) => one.name.getText(source) === name);
    if (declared?.initializer)
      return isSimple(declared.initializer) ? valueMadeBy(declared.initializer, source) : undefined;
  }
  return undefined;
}

function valueMadeBy(node, source) {
  const known = new Map();
  const visit = (part) => {
    if (ts.isIdentifier(part)) known.set(part.text, constantOf(part.text, node.pos, source));
    ts.forEachChild(part, visit);
  };
  visit(node);
  const given = [...known].filter(([, value]) => value !== undefined);
  const made = ts.transpile(`const grusMade = ${node.getText(source)};`, { target: ts.ScriptTarget.ESNext });
  try {
    return new Function(...given.map(([name]) => name), `${made}\nreturn grusMade;`)(
      ...given.map(([, value]) => value),
    );
  } catch {
    return undefined;
  }
}

function isSimple(node) {
  return (
    ts.isStringLiteralLike(node) ||
    ts.isTemplateExpression(node) ||
    ts.isRegularExpressionLiteral(node) ||
    (ts.isArrowFunction(node) && ts.isNewExpression(node.body)) ||
    (ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'String.raw')
  );
}

function parsed(path, text) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  modules.set(path, source);
  return source;
}
