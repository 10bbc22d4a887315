// What may be asked of NetworkX, in a copy of the kernel: functions that leave their graphs alone, reading methods, and changes
// of a graph that the cell itself has made.
import { type Context, type Exact, Memory } from '../../reasoning/context.js';
import type { Operand } from '../../reasoning/events.js';
import type { Ref } from '../../reasoning/facts.js';
import type { Planned } from '../../reasoning/inquiry/planned.js';
import { partsOf, planRefusal } from '../../reasoning/inquiry/planning.js';
import type { CallSite, QuestionRules } from '../../reasoning/library.js';
import { askedMethods, changingMethods, type Graph } from './kinds.js';

const mostNodes = 50_000;

/**
 * Functions that change a graph, always or when told to, or the world: a test holds this against what the library itself says of
 * its functions (`mutates_input`, parameters such as `copy` and `store_pos_as`).
 */
const changing =
  /\.(add_|remove_|set_|relabel_|contracted_|identified_|write_|read_|draw|display|apply_|freeze|open_|config|_)\w*$|_(layout|swap|branching|arborescence|reference)$|\.(barycenter|dedensify|stochastic_graph|incremental_closeness_centrality|recursive_simple_cycles)$/;

export function isPure(name: string): boolean {
  return /^networkx\.\w+$/.test(name) && !changing.test(name);
}

/** Graphs that something else may show by now. */
export const seen = new Memory(() => ({ graphs: new Set<Ref>() }));

/** What gives new objects, or none, of what it is given. */
const harmless =
  /^builtins\.(len|print|str|repr|bool|isinstance|type|id|int|float|round|abs|sum|hash|format|any|all|set)$/;
const drawing = /^builtins\.(list|tuple|set|frozenset|dict|sorted|max|min|sum|any|all|enumerate)$/;
const listing = /^builtins\.(list|tuple|sorted|max|min|enumerate)$/;

/** Data of the graph leave it in something that the walk does not follow: no later answer is sure. */
function letsDataOut(target: string | null, { fact }: Operand): boolean {
  if (fact.kind !== 'graph' || target === null || target.startsWith('networkx.')) return false;
  return !harmless.test(target) && (fact.givesData === true || !listing.test(target));
}

function planCall(
  site: CallSite,
  callee: Operand,
  context: Context,
  exact: Exact,
): Planned | null | undefined {
  const { target, receiver, method, args } = site;
  const operands = [...args.positional, ...args.keywords.values()];
  const { graphs } = context.recall(seen);
  const changed = receiver?.fact.kind === 'graph' && changingMethods.has(method!) ? receiver : null;
  const planned = changed
    ? planChange(site, changed, exact, changed.fact.kind === 'graph' && !graphs.has(changed.ref))
    : callee.fact.kind === 'graph'
      ? planView(callee.fact, site, exact)
      : target?.startsWith('networkx.') && isPure(target)
        ? planByChance(site, callee, context, exact)
        : planDrawn(site, callee, exact);
  for (const operand of operands) if (letsDataOut(target, operand)) context.state.mayMutate(operand.ref);
  for (const { ref } of [...operands, ...(receiver && !changed ? [receiver] : [])]) graphs.add(ref);
  return planned;
}

/** Afterwards a graph of the cell's own is what the step gives; of any other only a refusal is told. */
function planChange(
  { method, args }: CallSite,
  { ref, fact }: Operand,
  exact: Exact,
  isUnseen: boolean,
): Planned | null {
  const made = exact.stepOf(ref);
  const parts = made === undefined ? undefined : partsOf(exact, args);
  if (made === undefined || !parts) return null;
  const step = { op: 'fitted', receiver: made, name: method!, ...parts } as const;
  return (fact as Graph).isNew && isUnseen
    ? { step, urgency: 'needed', after: step }
    : { step, urgency: 'needed', isRandom: true, isOpen: true };
}

/** `G.nodes(data=True)`, `G.degree("a")` */
function planView({ owner, view }: Graph, { args }: CallSite, exact: Exact): Planned | null {
  const made = owner === undefined ? undefined : exact.stepOf(owner);
  const parts = made === undefined ? undefined : partsOf(exact, args);
  if (made === undefined || view === undefined || !parts) return null;
  return { step: { op: 'method', receiver: made, name: view, ...parts }, urgency: 'needed' };
}

/** A function that takes a `seed`, and is given none, goes by chance. */
function planByChance(
  { args }: CallSite,
  { fact }: Operand,
  context: Context,
  exact: Exact,
): Planned | null | undefined {
  const given = args.keywords.get('seed');
  const takesSeed = fact.signature?.some(({ name }) => name === 'seed') ?? fact.kind !== 'class';
  if (!takesSeed || (given && typeof context.literal(given.ref) === 'number')) return undefined;
  return planRefusal(exact, exact.named(fact), args);
}

/** `list(nx.topological_sort(D))` refuses when it is drawn from, which is asked where nobody else can draw from it. */
function planDrawn({ target, args }: CallSite, callee: Operand, exact: Exact): Planned | null | undefined {
  const [given] = args.positional;
  if (!drawing.test(target ?? '') || given?.fact.kind !== 'graph') return undefined;
  if (given.node.nodeType === 'Call') return planRefusal(exact, exact.named(callee.fact), args);
  return given.fact.class === undefined && given.fact.owner === undefined ? null : undefined;
}

export const questions: QuestionRules = {
  purity: (name) => (name.startsWith('networkx.') ? (isPure(name) ? 'askable' : 'no') : undefined),
  askableMethods: askedMethods,
  classes: /^networkx\./,
  kinds: {
    graph: {
      isData: true,
      leadsOn: true,
      holdsParts: true,
      changes: () => 'everything',
      isUsable: ({ class: name = '', length = 0 }) => name.startsWith('networkx.') && length <= mostNodes,
      remake(fact, stepOf, exact) {
        const { owner, view } = fact as Graph;
        const receiver = owner === undefined ? undefined : stepOf(owner);
        return receiver === undefined ? undefined : exact.step({ op: 'attribute', receiver, name: view! });
      },
    },
  },
  planCall,
  planItem(container, _key, context) {
    if (container.fact.kind === 'graph') context.recall(seen).graphs.add(container.ref);
    return undefined;
  },
};
