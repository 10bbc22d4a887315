# A short list of names that resemble a missing one. The client ranks them properly; this only keeps the list small.

KEEP = 25


def alike(name, candidates):
    """The candidates that share most letter pairs with `name`, best first, ties by name."""
    pairs = _pairs(name)
    scored = []
    for candidate in candidates:
        if candidate.startswith("__") and not name.startswith("__"):
            continue
        other = _pairs(candidate)
        shared = len(pairs & other)
        if shared or (abs(len(candidate) - len(name)) <= 1 and candidate[:1].lower() == name[:1].lower()):
            scored.append((-2.0 * shared / (len(pairs) + len(other) + 1), candidate))
    return [candidate for _, candidate in sorted(scored)[:KEEP]]


def _pairs(name):
    lowered = name.lower()
    return {lowered[start : start + 2] for start in range(max(1, len(lowered) - 1))}
