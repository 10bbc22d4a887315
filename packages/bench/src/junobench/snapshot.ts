// The snapshot that one benchmark instance allows: what was recorded of the names that the target cell uses, and what
// the source of the executed cells proves about the rest. A fact that neither holds stays missing.
import type { Reason } from '@grus/core';
import type { ObjectFact, Snapshot } from '@grus/kernel/snapshot';
import { parseCell } from '@grus/python';
import { describe } from './facts/describe.js';
import { kindOf, unknownKind } from './facts/kinds.js';
import { ObjectRegistry } from './facts/registry.js';
import { type History, type NameChange, readHistory } from './history/bindings.js';
import { builtinKind } from './history/builtins.js';
import { type Constant, constantOf } from './history/constants.js';
import { describeDefinition } from './history/definitions.js';
import { importedFrom, provenModules } from './history/imports.js';
import { usesOf } from './history/uses.js';
import { get, type PyValue, stringKeys } from './pprint/value.js';

export interface RecordedState {
  readonly executed: readonly string[];
  /** The recorded runtime information, read from its pprint text; null when the mode has none. */
  readonly runtime: PyValue;
  readonly target: string;
}

const memberPrefix = '__method__';

/** Calls and arguments of pandas after which the rows of a table may have a name. */
const namingRows =
  /\b(set_index|index_col|index|groupby|pivot|pivot_table|crosstab|rename_axis|value_counts|resample|stack|unstack|names|keys|agg|aggregate|transpose|T|corr|cov|read_(?!csv\b|table\b)\w+|load\w*)\b/;

export function snapshotOf(state: RecordedState): Snapshot {
  const builder = new Builder(state);
  return builder.build();
}

class Builder {
  private readonly registry = new ObjectRegistry();
  private readonly history: History;
  private readonly names: Record<string, string> = {};
  private readonly builtins: Record<string, string> = {};
  private readonly absent = new Set<string>();
  private readonly omitted: Reason[] = [];

  constructor(private readonly state: RecordedState) {
    this.history = readHistory(state.executed);
  }

  build(): Snapshot {
    const uses = usesOf(parseCell(this.state.target));
    for (const name of this.recordedNames()) this.names[name] = this.registry.add(this.recordedObject(name));
    const pending = [...uses.direct, ...uses.deferred];
    for (const name of pending) {
      this.resolve(name, uses.direct.has(name));
      for (const reached of this.globalsOf(name)) if (!pending.includes(reached)) pending.push(reached);
    }
    this.omitted.push({
      code: 'not-in-record',
      what: ['versions', 'index labels', 'the order of columns'],
    });
    return {
      version: 1,
      python: { version: [], implementation: 'CPython', platform: '' },
      cwd: '',
      execution_count: this.state.executed.length,
      objects: this.registry.objects,
      names: this.names,
      builtins: this.builtins,
      absent: [...this.absent].sort(),
      namespace: this.namespace(),
      paths: this.paths(uses.attributes),
      modules: provenModules(this.history),
      files: {},
      versions: {},
      answers: {},
      omitted: this.omitted,
    };
  }

  private recordedNames(): string[] {
    return stringKeys(this.state.runtime).filter((key) => !key.startsWith(memberPrefix));
  }

  private recordedObject(name: string): ObjectFact {
    const recorded = this.withPlainRows(describe(get(this.state.runtime, name)!, this.registry));
    const last = this.lastBinding(name);
    const fromSource = last === undefined ? undefined : this.sourceFact(last);
    if (fromSource === undefined) return withClass(recorded, this.history, this.registry);
    if (fromSource.kind !== recorded.kind && fromSource.kind !== unknownKind) return recorded;
    return {
      ...recorded,
      structural: { ...fromSource.structural, ...recorded.structural },
      representation: { ...fromSource.representation, ...recorded.representation },
      ...(recorded.values || fromSource.values
        ? { values: { ...fromSource.values, ...recorded.values } }
        : {}),
    };
  }

  /** The record has no row labels. Where no cell does what names them, they have no name. */
  private withPlainRows(fact: ObjectFact): ObjectFact {
    if (fact.kind !== 'frame' || this.state.executed.some((cell) => namingRows.test(cell))) return fact;
    return { ...fact, representation: { ...fact.representation, index_names: [null] } };
  }

  /** Finds out about a name that is loaded: recorded, builtin, bound by a cell, or certainly absent. */
  private resolve(name: string, direct: boolean): void {
    if (name in this.names || name in this.builtins) return;
    const bindings = this.history.bindings.get(name) ?? [];
    const last = bindings.at(-1);
    if (last === undefined) {
      const kind = builtinKind(name);
      if (kind !== undefined)
        this.builtins[name] = this.registry.add({
          kind,
          class: kind === 'class' ? 'type' : 'builtin_function_or_method',
        });
      else if (this.history.complete || direct) this.absent.add(name);
      return;
    }
    if (last.removed && !last.conditional && this.history.complete) this.absent.add(name);
    else if (bindings.some((binding) => !binding.conditional) && !bindings.some((binding) => binding.removed))
      this.names[name] = this.registry.add(this.sourceFact(last) ?? { kind: unknownKind, class: 'unknown' });
  }

  private lastBinding(name: string): NameChange | undefined {
    const last = this.history.bindings.get(name)?.at(-1);
    return last === undefined || last.conditional || last.removed ? undefined : last;
  }

  /** What the statement that bound a name last proves about it, when nothing conditional came after. */
  private sourceFact(binding: NameChange): ObjectFact | undefined {
    if (binding.conditional) return undefined;
    const defined = describeDefinition(binding, this.history);
    if (defined !== undefined) return defined;
    const imported = importedFrom(binding);
    if (imported !== undefined)
      return imported.module
        ? { kind: 'module', class: 'module', representation: { name: imported.path } }
        : { kind: unknownKind, class: 'unknown', representation: { name: imported.path } };
    const constant = constantOf(binding, this.history);
    return constant === undefined ? undefined : this.describeConstant(constant);
  }

  private describeConstant(constant: Constant): ObjectFact {
    switch (constant.type) {
      case 'plain':
        return {
          kind: kindOf(constant.className),
          class: constant.className,
          values: { literal: constant.literal },
        };
      case 'list':
        return {
          kind: 'list',
          class: 'list',
          structural: {
            items: constant.items.map((item) => this.registry.add(this.describeConstant(item))),
            complete: true,
          },
          representation: {
            length: constant.items.length,
            callable: false,
            iterable: true,
            subscriptable: true,
          },
        };
      case 'dict':
        return {
          kind: 'dict',
          class: 'dict',
          structural: {
            keys: [...constant.keys],
            entries: constant.values.map((item) => this.registry.add(this.describeConstant(item))),
            complete: true,
          },
          representation: {
            length: constant.keys.length,
            callable: false,
            iterable: true,
            subscriptable: true,
          },
        };
    }
  }

  private globalsOf(name: string): readonly string[] {
    const ref = this.names[name];
    return ref === undefined ? [] : (this.registry.objects[ref]?.structural?.globals ?? []);
  }

  private paths(attributes: readonly { name: string; attribute: string }[]): Snapshot['paths'] {
    const paths: Snapshot['paths'] = {};
    const recorded = new Set(this.recordedNames());
    for (const { name, attribute } of attributes) {
      if (!recorded.has(name)) continue;
      const record = get(this.state.runtime, `${memberPrefix}${name}_${attribute}`);
      paths[`${name}.${attribute}`] =
        record === undefined
          ? { status: 'absent' }
          : { status: 'present', object: this.registry.add(this.memberOf(name, attribute, record)) };
    }
    return paths;
  }

  /** A module inside a module is known by both names. */
  private memberOf(name: string, attribute: string, record: PyValue): ObjectFact {
    const fact = describe(record, this.registry);
    const owner = this.registry.objects[this.names[name] ?? ''];
    const outer = owner?.kind === 'module' ? owner.representation?.name : undefined;
    if (fact.kind !== 'module' || outer === undefined) return fact;
    return { ...fact, representation: { ...fact.representation, name: `${outer}.${attribute}` } };
  }

  private namespace(): string[] {
    const bound = [...this.history.bindings.values()].map((bindings) => bindings.at(-1)!);
    const names = new Set(bound.filter((binding) => !binding.removed).map((binding) => binding.name));
    for (const name of this.recordedNames()) names.add(name);
    return [...names].filter((name) => !name.startsWith('_')).sort();
  }
}

/** Links an instance of a class that a cell defined to that class. */
function withClass(fact: ObjectFact, history: History, registry: ObjectRegistry): ObjectFact {
  const [, own] = /^__main__\.(\w+)$/.exec(fact.class) ?? [];
  if (own === undefined) return fact;
  const bindings = history.bindings.get(own) ?? [];
  const [only] = bindings;
  if (only === undefined || bindings.length > 1) return fact;
  const described = describeDefinition(only, history);
  if (described === undefined) return fact;
  const bases = described.structural?.base_classes ?? [];
  const isModule = bases.includes('torch.nn.modules.module.Module');
  return {
    ...fact,
    ...(isModule ? { kind: 'torch_module' } : {}),
    bases,
    structural: { ...fact.structural, related: { class: registry.add(described) } },
  };
}
