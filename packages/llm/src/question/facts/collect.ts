// All facts of a snapshot with their relevance to one cell: what the cell names comes before what functions reach, what
// is close before what is nested, what is missing before everything.
import type { ObjectFact, Snapshot } from '@grus/kernel/snapshot';
import { type ParsedCell, walk } from '@grus/python';
import { type Fact, type Part, part } from './fact.js';
import { show } from './literals.js';
import { representationParts } from './representation.js';
import { structuralParts } from './structural.js';
import { valueParts } from './values.js';

const nestedPenalty = 8;
const reachedPenalty = 12;
const deepest = 2;
/** Kinds whose class says everything that a question needs. */
const plain = new Set(['module', 'builtin', 'omitted', 'none']);

/** `mentioned`: names and labels of the cell, as they are told. */
export function collectFacts(snapshot: Snapshot, mentioned: ReadonlySet<string>): Fact[] {
  const facts: Fact[] = [...missing(snapshot)];
  const seen = new Set<string>();
  const describe = (subject: string, id: string, penalty: number, depth: number): void => {
    const object = snapshot.objects[id];
    if (!object || seen.has(id)) return;
    seen.add(id);
    for (const { category, text, rank } of partsOf(object, mentioned))
      facts.push({ subject, category, text, rank: rank + penalty });
    if (depth >= deepest || plain.has(object.kind)) return;
    for (const [name, child] of nested(object)) {
      const near = mentioned.has(name.replace(/^[.[]|[\]]$/g, ''));
      describe(`${subject}${name}`, child, penalty + (near ? 1 : nestedPenalty), depth + 1);
    }
  };
  const named = Object.entries(snapshot.names);
  for (const [name, id] of named) if (mentioned.has(name)) describe(name, id, 0, 0);
  for (const [path, member] of Object.entries(snapshot.paths))
    if (member.object !== undefined) describe(path, member.object, 1, 1);
  for (const [name, id] of named) describe(name, id, reachedPenalty, 0);
  for (const [module, version] of Object.entries(snapshot.versions))
    facts.push({ subject: module, category: 'structural', text: `installed version ${version}`, rank: 5 });
  return facts;
}

function partsOf(object: ObjectFact, mentioned: ReadonlySet<string>): Part[] {
  const { structural, representation, values } = object;
  return [
    part('representation', 0, object.class),
    ...(representation ? representationParts(representation, mentioned) : []),
    ...(structural ? structuralParts(structural, mentioned) : []),
    ...(values ? valueParts(values, representation?.columns, mentioned) : []),
  ];
}

function nested({ structural = {} }: ObjectFact): [string, string][] {
  const {
    attributes = {},
    parameters = {},
    entries = [],
    keys = [],
    items = [],
    layers = [],
    related = {},
  } = structural;
  return [
    ...Object.entries({ ...attributes, ...parameters })
      .filter(([name]) => !name.startsWith('_'))
      .map(([name, id]): [string, string] => [`.${name}`, id]),
    ...entries.map((id, index): [string, string] => [`[${show(keys[index] ?? index)}]`, id]),
    ...items.slice(0, 5).map((id, index): [string, string] => [`[${index}]`, id]),
    ...layers
      .slice(0, 30)
      .flatMap((layer): [string, string][] => (layer.object ? [[`.${layer.name}`, layer.object]] : [])),
    ...['dataset', 'receiver'].flatMap((role): [string, string][] =>
      related[role] === undefined ? [] : [[` (${role})`, related[role]]],
    ),
  ];
}

/** What the cell uses and is not there: a crash is near. */
function* missing(snapshot: Snapshot): Generator<Fact> {
  const fact = (subject: string, text: string): Fact => ({ subject, category: 'structural', text, rank: 0 });
  for (const name of snapshot.absent) yield fact(name, 'is not defined');
  for (const [path, member] of Object.entries(snapshot.paths)) {
    if (member.status !== 'absent') continue;
    const near = member.siblings?.slice(0, 5).join(', ');
    yield fact(
      path,
      `has no attribute ${member.failed_at ?? 'of that name'}${near ? `; there are ${near}` : ''}`,
    );
  }
  for (const [name, module] of Object.entries(snapshot.modules)) {
    if (module.status === 'absent') yield fact(`module ${name}`, 'is not installed');
    for (const [member, { status }] of Object.entries(module.names))
      if (status === 'absent') yield fact(`module ${name}`, `has no ${member}`);
  }
  for (const [path, file] of Object.entries(snapshot.files))
    if (file.status === 'absent') yield fact(`file ${path}`, 'does not exist');
}

/** Names, attributes and short strings of the cell. */
export function mentionedIn(cell: ParsedCell): Set<string> {
  const words = new Set<string>();
  for (const node of walk(cell.module)) {
    if (node.nodeType === 'Name') words.add(node.id);
    else if (node.nodeType === 'Attribute') words.add(node.attr);
    else if (node.nodeType === 'Constant' && typeof node.value === 'string' && node.value.length <= 80)
      words.add(node.value);
  }
  if (cell.problem) for (const word of cell.source.match(/[^\W\d]\w*/gu) ?? []) words.add(word);
  return words;
}
