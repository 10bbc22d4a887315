# NetworkX graphs: numbers of nodes and edges and some labels, read off the plain dicts that the graph holds. Whether it
# is directed or a multigraph, its class says. No view is made: making one would leave it behind in the graph.
from ..objects.budget import OBJECT_SAMPLE
from ..objects.literals import label
from ..objects.lookup import instance_dict
from .builtins import describe_instance
from .registry import at_location, describes

LOCATIONS = (
    "networkx.classes.graph:Graph",
    "networkx.classes.digraph:DiGraph",
    "networkx.classes.multigraph:MultiGraph",
    "networkx.classes.multidigraph:MultiDiGraph",
)
COUNTED = 20_000


@describes(*LOCATIONS)
def describe_graph(obj, fact, walk):
    cls = type(obj)
    held = instance_dict(obj) or {}
    nodes, adjacent = held.get("_node"), held.get("_adj")
    if not any(cls is at_location(location) for location in LOCATIONS) or type(nodes) is not dict:
        # A class of the user's, or a view, which computes what it holds.
        describe_instance(obj, fact, walk)
        return
    fact.kind = "graph"
    fact.representation["length"] = len(nodes)
    edges = count_edges(cls, adjacent)
    if edges is not None:
        fact.representation["stored"] = edges
    if not walk.is_shallow(fact):
        fact.values["examples"] = [label(node) for node, _ in zip(nodes, range(OBJECT_SAMPLE))]
        fact.values["examples_complete"] = len(nodes) <= OBJECT_SAMPLE


def count_edges(cls, adjacent):
    """The number of edges; None where counting takes long or the graph does not hold plain dicts."""
    if type(adjacent) is not dict or len(adjacent) > COUNTED:
        return None
    is_multi = cls is at_location(LOCATIONS[2]) or cls is at_location(LOCATIONS[3])
    total = loops = 0
    for node, row in list(adjacent.items()):
        if type(row) is not dict:
            return None
        if is_multi and len(row) > COUNTED:
            return None
        for other, keys in list(row.items()) if is_multi else ():
            count = len(keys) if type(keys) is dict else 0
            total += count
            loops += count if other is node else 0
        if not is_multi:
            total += len(row)
            loops += any(other is node for other in row)
    is_directed = cls is at_location(LOCATIONS[1]) or cls is at_location(LOCATIONS[3])
    return total if is_directed else (total + loops) // 2
