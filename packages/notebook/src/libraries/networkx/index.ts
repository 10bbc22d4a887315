// What Grus knows of NetworkX: graphs are asked for their nodes, edges and paths, and functions what they refuse.
import type { LibraryModel } from '../../reasoning/library.js';
import { flatNames } from '../../reasoning/names.js';
import { kinds } from './kinds.js';
import { questions } from './questions.js';
import { transfers } from './transfers.js';

export const library: LibraryModel = {
  name: 'networkx',
  publicName: flatNames('networkx'),
  kinds,
  transfers: [transfers],
  questions,
  // Not among those that keep their arguments: `nx.add_path(G, …)` changes the graph.
  manners: { writingNoFiles: ['networkx'] },
  live: {
    graph: { classes: /^networkx\./, read: (_object, common) => ({ ...common, kind: 'graph' }) },
  },
  // Views that a name of the kernel holds.
  liveOther: (_object, common) =>
    common.class.startsWith('networkx.') ? { ...common, kind: 'graph', givesData: true } : undefined,
};
