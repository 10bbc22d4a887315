# What a copy may reach. A kind of reach that is not granted here is refused; each strength of isolation is a way to keep
# the same table, and says which kinds it cannot keep on this machine. docs/security.md shows the table to people.

# kind: what is granted of it.
POLICY = {
    "files": "reading what the user may read; changes stay in the copy and go with it",
    "descriptors": "files, opened anew at the same place; stand-ins for everything else",
    "mappings": "private copies of shared memory, whatever its protection",
    "sockets": "nobody outside the copy; pairs of its own, and under namespaces an empty network of its own",
    "fifos": "those that the copy makes itself",
    "devices": "null, zero, full, random and urandom; under namespaces terminals of its own",
    "objects": "no System V or POSIX object, no key; under namespaces System V memory of its own",
    "processes": "itself; under namespaces processes of its own that end with the copy",
    "system": "no mount, namespace, privilege, clock, module, counter or ring of requests",
    "resources": "time, memory, storage and descriptors within limits",
    "notebook": "a copy of everything in memory; no message leaves it, and its history is not kept",
}

HARMLESS_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")

# What a strength leaves open whatever the machine offers: programs written in C that open a named pipe by its path.
ALWAYS_OPEN = {"namespaces": (), "landlock": ("fifos",), "audit": ("fifos",), "read-only": ("fifos",)}


def not_covered(strength, has_landlock, closed=True):
    """The kinds of the table that this strength cannot keep here. `closed`: every special file is out of reach."""
    found = list(ALWAYS_OPEN[strength])
    if strength == "namespaces" and not closed:
        found.append("fifos")
    if strength in ("audit", "read-only") and not has_landlock:
        found += ["devices", "processes"]
    return found
