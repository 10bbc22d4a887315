# Which function serves which class: describers, resolvers of attributes, answerers of questions. Each names the
# classes it knows as "module:attribute"; they are looked up in the modules that are loaded now, by identity, so a
# class that lies about its name is not taken for a library's.
import sys

from ..objects.lookup import MISSING, is_class, loaded_entry, module_dict

DESCRIBERS = []
RESOLVERS = []
ANSWERERS = []
_kept = {}
"""Tables by the number of modules that were loaded."""


def describes(*locations):
    """Register `function(obj, fact, walk)` for the classes at these locations and their subclasses."""

    def register(function):
        DESCRIBERS.extend((location, function) for location in locations)
        return function

    return register


def resolves(*locations):
    """Register `function(obj, name)` that answers for a library's own `__getattr__`: (status, value) or None."""

    def register(function):
        RESOLVERS.extend((location, function) for location in locations)
        return function

    return register


def answers(question, *locations):
    """Register `function(obj, value, budget)` that answers a question about objects of these classes."""

    def register(function):
        ANSWERERS.extend((question, location, function) for location in locations)
        return function

    return register


def at_location(location):
    """The object at "module:attribute" when its module is loaded and holds it; nothing is imported."""
    module, _, attribute = location.partition(":")
    found = loaded_entry(module, attribute)
    return None if found is MISSING else found


def tables():
    """The describers and resolvers, by the id of a class, for the classes that exist in this process now."""
    return _kept.get(len(sys.modules)) or (_table_of(DESCRIBERS), _table_of(RESOLVERS))


def keep_tables():
    """Before they are needed, for as long as nothing of the user's runs."""
    drop_tables()
    _kept[len(sys.modules)] = tables()


def drop_tables():
    _kept.clear()


def _table_of(registered):
    table, modules = {}, {}
    for location, function in registered:
        module, _, attribute = location.partition(":")
        if module not in modules:
            modules[module] = module_dict(sys.modules.get(module)) or {}
        found = modules[module].get(attribute)
        if found is not None and is_class(found):
            table.setdefault(id(found), function)
    return table
