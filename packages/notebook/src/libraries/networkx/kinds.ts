// What is known of a graph, and of whatever comes of one: views, rows and data of a graph are the graph's own, so that a change
// of one of them may be a change of all.
import type { Common, Ref } from '../../reasoning/facts.js';
import { words } from '../../reasoning/inquiry/planning.js';
import type { KindTable } from '../../reasoning/kinds.js';

export interface Graph extends Common {
  readonly kind: 'graph';
  /** Made by the cell itself. */
  readonly isNew?: boolean;
  /** A view: the graph that it shows, and the attribute that gives it. */
  readonly owner?: Ref;
  readonly view?: string;
  /** Its elements are, or hold, data that the graph holds too. */
  readonly givesData?: boolean;
}

declare module '../../reasoning/facts.js' {
  interface FactKinds {
    graph: Graph;
  }
}

/** Attributes that are views; most of them can be called too. */
export const views = words('nodes edges degree in_degree out_degree in_edges out_edges adj succ pred graph');

/** Methods that refuse nodes and edges which are not there, and change nothing. */
export const askedMethods = words(
  `neighbors successors predecessors has_edge has_node get_edge_data edge_subgraph subgraph to_undirected to_directed
  number_of_edges number_of_nodes adjacency`,
);

/** Methods that change nothing. */
export const readingMethods: ReadonlySet<string> = new Set([
  ...askedMethods,
  ...words('get keys values items data copy size order is_directed is_multigraph'),
]);

/** Methods that change the graph and nothing else, and refuse what is not there. */
export const changingMethods = words(
  `add_node add_nodes_from add_edge add_edges_from add_weighted_edges_from remove_node remove_nodes_from remove_edge
  remove_edges_from clear clear_edges`,
);

export const kinds: KindTable = {
  graph: {
    reaches: ({ owner }) => (owner === undefined ? [] : [owner]),
    isChangedBy: (method) => !readingMethods.has(method),
  },
};
