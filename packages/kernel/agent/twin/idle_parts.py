# Parts of objects that cannot be pickled and hold nothing as long as nobody uses them: a lock that nobody has, a generator
# that has not begun. A twin gets a new one. Weak references are among them, alone and in collections.
import inspect
import pickle
import threading
import types
import weakref

LOCK, RLOCK = type(threading.Lock()), type(threading.RLock())
WEAK_COLLECTIONS = (weakref.WeakSet, weakref.WeakKeyDictionary, weakref.WeakValueDictionary)


def reduced(value, made):
    """How to make the part again; None of anything else. Raises PicklingError of one that is in use. This runs in a forked
    child of the kernel, so trying a lock changes nothing there."""
    kind = type(value)
    if kind is LOCK or kind is RLOCK:
        if not value.acquire(blocking=False):
            raise pickle.PicklingError("a lock that is held")
        value.release()
        return made.new_lock, (kind is RLOCK,)
    if kind is weakref.ReferenceType:
        return made.weak_reference, _referred(value)
    if kind in weakref.ProxyTypes:
        # A method of what it stands for knows it.
        return made.weak_proxy, (value.__dir__.__self__,)
    if kind in WEAK_COLLECTIONS:
        return _weak_collection(value, made)
    if kind is types.GeneratorType:
        return made.generator_again, _beginning(value)
    return None


def _referred(reference):
    if reference.__callback__ is not None:
        raise pickle.PicklingError("a weak reference that calls back")
    referred = reference()
    return () if referred is None else (referred,)


def _weak_collection(value, made):
    """As its state: what it refers to may hold it."""
    if type(value) is weakref.WeakSet:
        referred = entries = list(value)
    else:
        entries = list(value.items())
        referred = [pair[type(value) is weakref.WeakValueDictionary] for pair in entries]
    return type(value), (), (referred, entries), None, None, made.hold_weakly


def _beginning(generator):
    """(the function, its arguments) of a generator that has not begun and is a method of the first of them."""
    if inspect.getgeneratorstate(generator) != inspect.GEN_CREATED:
        raise pickle.PicklingError("a generator that has begun")
    code, given = generator.gi_code, generator.gi_frame.f_locals
    names = code.co_varnames[: code.co_argcount]
    plain = not code.co_kwonlyargcount and not code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS)
    owner = given.get(names[0]) if names and plain else None
    method = inspect.getattr_static(type(owner), code.co_name, None)
    if getattr(method, "__code__", None) is not code:
        raise pickle.PicklingError("a generator whose function is not known")
    return code.co_name, [given[name] for name in names]
