"""Whether an object that a replayed cell made is what the record says of it."""


def agrees(value, fact):
    kind = fact.get("type", "").replace("<class '", "").replace("'>", "")
    if "." not in kind and kind not in ("list", "tuple", "dict", "int", "float", "str", "bool"):
        return True
    if type(value).__name__ != kind.rsplit(".", 1)[-1]:
        return False
    if "value" in fact:
        return value == fact["value"]
    if "shape" in fact and tuple(getattr(value, "shape", ())) != tuple(fact["shape"]):
        return False
    if "per_column" in fact:
        return set(map(str, value.columns)) == set(map(str, fact["per_column"]))
    if "dtype" in fact and str(getattr(value, "dtype", "")).replace("str", "object") != str(fact["dtype"]):
        return False
    if "length" in fact:
        return len(value) == fact["length"]
    if "is_fitted" in fact:
        return hasattr(value, "n_features_in_") == fact["is_fitted"]
    return True
