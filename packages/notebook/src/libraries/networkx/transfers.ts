// What comes of a graph stays bound to it: a node's data, a row, an edge, the result of a function. Their values are asked for.
import type { Context } from '../../reasoning/context.js';
import type { Ref } from '../../reasoning/facts.js';
import type { AttributeTransfer, CallTransfer, Transfers } from '../../reasoning/library.js';
import { putNone } from '../../reasoning/plain-objects.js';
import { changingMethods, readingMethods, views } from './kinds.js';
import { isPure, seen } from './questions.js';

const classes = ['Graph', 'DiGraph', 'MultiGraph', 'MultiDiGraph'];

/** Functions whose results hold the data of nodes or edges. */
const givingData = /\.(to_\w+|get_\w+|edges|nodes|degree|\w+_data|\w+_edges)$/;
/** Views and methods that give bare names and numbers, unless they are told to give data. */
const ofNames = /^(nodes|edges|(in_|out_)(degree|edges)|degree|neighbors|successors|predecessors)$/;

const partOf = (context: Context, givesData: boolean): Ref => context.put({ kind: 'graph', givesData });

const view =
  (name: string): AttributeTransfer =>
  ({ ref }, context) => {
    context.recall(seen).graphs.add(ref);
    return context.put({ kind: 'graph', owner: ref, view: name, givesData: !ofNames.test(name) });
  };

const read: CallTransfer = ({ method }, context) => partOf(context, !ofNames.test(method!));

/** The same graph with other contents: a fact of its own, so that two paths are seen to differ. */
const change: CallTransfer = ({ receiver }, context) => {
  const { ref, fact } = receiver!;
  if (fact.kind !== 'graph' || !fact.isNew) return undefined;
  context.state.update(ref, { ...fact });
  return putNone(context);
};

const tableOf = <T>(names: Iterable<string>, make: (name: string) => T): { readonly [name: string]: T } =>
  Object.fromEntries([...names].map((name) => [name, make(name)]));

export const transfers: Transfers = {
  anyFunction({ target, args }, _callee, context) {
    const [, name] = /^networkx\.(\w+)$/.exec(target ?? '') ?? [];
    if (name === undefined || !isPure(target!)) return undefined;
    // A weight or a key of the user's runs code.
    const given = [...args.positional, ...args.keywords.values()];
    if (!args.complete || given.some(({ fact }) => fact.callable === true || fact.kind === 'function'))
      return undefined;
    return classes.includes(name)
      ? context.put({ kind: 'graph', class: target!, isNew: true })
      : partOf(context, givingData.test(target!));
  },
  call: {
    graph: (_callee, { args }, context) => partOf(context, args.positional.length + args.keywords.size > 0),
  },
  methods: { graph: { ...tableOf(readingMethods, () => read), ...tableOf(changingMethods, () => change) } },
  attributes: { graph: tableOf(views, view) },
  loadItem: { graph: (_container, _key, context) => partOf(context, true) },
  iterate: {
    graph: ({ fact }, context) => ({
      element: fact.kind === 'graph' && fact.givesData ? partOf(context, true) : context.unknown(),
    }),
  },
};
