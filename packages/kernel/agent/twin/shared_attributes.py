# Objects of a class that all have the same attributes: they keep them in a dictionary of the class. Pickled as usual, each
# would arrive with a dictionary of its own, and the next one would be made as if there were none yet.
from ..objects.lookup import class_dict, mro

_tables = {}


def reduced(value, made):
    """How to make such an object again; None of anything else."""
    for owner, name, held in _tables_of(type(value)):
        if held is getattr(value, "__dict__", None):
            shared = (type(value), owner, name)
            return made.object_of_shared_attributes, shared, held.copy(), None, None, made.set_attributes
    return None


def _tables_of(kind):
    """Inside the fork that pickles, where no class goes away."""
    if id(kind) not in _tables:
        _tables[id(kind)] = [
            (owner, name, held) for owner in mro(kind) for name, held in class_dict(owner).items() if type(held) is dict
        ]
    return _tables[id(kind)]
