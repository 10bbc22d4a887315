// Types and representation: dtype, shape, length, device, signature, columns, index, features.
import type { ObjectFact, Parameter } from '@grus/kernel/snapshot';
import { type Part, part } from './fact.js';
import { list, shape, show } from './literals.js';

type Representation = NonNullable<ObjectFact['representation']>;

const columnsAtOnce = 25;

export function representationParts(facts: Representation, mentioned: ReadonlySet<string>): Part[] {
  const parts: Part[] = [];
  const add = (rank: number, text: string) => parts.push(part('representation', rank, text));
  if (facts.dtype !== undefined) add(1, `dtype ${facts.dtype}`);
  if (facts.shape) add(1, `shape ${shape(facts.shape)}`);
  else if (facts.length !== undefined) add(1, `length ${facts.length}`);
  else if (facts.ndim !== undefined) add(1, `${facts.ndim} dimensions`);
  if (facts.device !== undefined && facts.device !== 'cpu') add(1, `on ${facts.device}`);
  if (facts.requires_grad) add(2, 'requires grad');
  if (facts.signature) add(2, `takes (${facts.signature.map(parameter).join(', ')})`);
  if (facts.is_async) add(2, 'is async');
  columnParts(facts, mentioned, add);
  indexParts(facts, add);
  if (facts.n_features_in !== undefined) add(1, `was fitted on ${facts.n_features_in} features`);
  if (facts.feature_names_in) add(2, `feature names ${list(facts.feature_names_in, 40)}`);
  if (facts.n_outputs !== undefined) add(2, `${facts.n_outputs} outputs`);
  if (facts.input_shape) add(1, `takes inputs of ${facts.input_shape.map(shape).join(', ')}`);
  if (facts.output_shape) add(1, `gives outputs of ${facts.output_shape.map(shape).join(', ')}`);
  if (facts.element_spec) {
    const elements = facts.element_spec.map(
      (spec) => `${spec.shape ? shape(spec.shape) : '?'} ${spec.dtype}`,
    );
    add(1, `elements ${elements.join(', ')}`);
  }
  if (facts.loss !== undefined) add(2, `loss ${facts.loss}`);
  if (facts.callable === false) add(4, 'not callable');
  if (facts.subscriptable === false) add(4, 'not subscriptable');
  if (facts.name !== undefined && facts.name !== null) add(4, `name ${show(facts.name)}`);
  return parts;
}

function columnParts(
  { columns, columns_complete: complete, dtypes }: Representation,
  mentioned: ReadonlySet<string>,
  add: (rank: number, text: string) => void,
): void {
  if (!columns) {
    if (dtypes) add(3, `dtypes of columns ${dtypes.join(', ')}`);
    return;
  }
  const described = columns.map(({ label, dtype }) => ({ label, text: `${show(label)} ${dtype}` }));
  const near = described.filter(({ label }) => typeof label === 'string' && mentioned.has(label));
  if (near.length > 0) add(1, `has the columns ${near.map(({ text }) => text).join(', ')}`);
  const others = described.filter((column) => !near.includes(column));
  for (let start = 0; start < others.length; start += columnsAtOnce) {
    const some = others.slice(start, start + columnsAtOnce).map(({ text }) => text);
    const word = start > 0 || near.length > 0 ? 'other columns' : 'columns';
    add(2 + start / columnsAtOnce, `${word} ${some.join(', ')}`);
  }
  if (complete === false) add(2, 'the list of columns is not complete');
}

function indexParts(facts: Representation, add: (rank: number, text: string) => void): void {
  const { index_range: range, index_labels: labels } = facts;
  if (range) add(4, `index range(${range.start}, ${range.stop}, ${range.step})`);
  else if (labels) add(3, `index labels ${list(labels, 20, facts.index_labels_complete ?? false)}`);
  else if (facts.index_dtype !== undefined) add(4, `index of ${facts.index_dtype}`);
  if (facts.index_names?.some((name) => name !== null)) add(4, `index names ${list(facts.index_names, 10)}`);
  if (facts.index_unique === false) add(4, 'index labels are not unique');
}

function parameter({ name, kind, has_default: optional }: Parameter): string {
  const stars = kind === 'var_positional' ? '*' : kind === 'var_keyword' ? '**' : '';
  const mark = kind === 'positional_only' ? ' /' : kind === 'keyword_only' ? ' (keyword)' : '';
  return `${stars}${name}${optional ? '=…' : ''}${mark}`;
}
