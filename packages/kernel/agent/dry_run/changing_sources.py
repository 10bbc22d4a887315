# What answers differently each time, in a copy or in the kernel: clocks, process numbers, randomness from the system, the
# state of the machine. A crash that may hang on such an answer, or a finish after a decision on one, proves nothing. Read
# off the cell: which statements ask, which names hold what came of it, and where it decides.
import ast
import sys
import types

CLOCKS = (
    "time time_ns monotonic monotonic_ns perf_counter perf_counter_ns process_time process_time_ns thread_time "
    "thread_time_ns clock_gettime clock_gettime_ns localtime gmtime ctime asctime strftime"
).split()
# module: (names of its functions, what they tell).
FUNCTIONS = {
    "time": (CLOCKS, "clock"),
    "os": ("getpid getppid getpgid getpgrp getsid get_terminal_size".split(), "process"),
    "threading": (("get_native_id", "get_ident"), "process"),
    "multiprocessing": (("current_process", "parent_process", "active_children"), "process"),
    "uuid": (("uuid1", "uuid4", "getnode"), "entropy"),
    "secrets": ("token_bytes token_hex token_urlsafe choice randbelow randbits SystemRandom".split(), "entropy"),
    "shutil": (("disk_usage",), "machine"),
    "resource": (("getrusage",), "machine"),
    "psutil": (None, "machine"),
    "torch": (("seed",), "entropy"),
    "signal": (("getitimer", "setitimer", "alarm"), "clock"),
}
MORE_OF_OS = {"urandom": "entropy", "getrandom": "entropy", "statvfs": "machine", "fstatvfs": "machine",
              "getloadavg": "machine", "times": "machine"}
# Draw from the system when they are given nothing.
UNSEEDED = frozenset("default_rng RandomState PCG64 MT19937 Philox SFC64 SeedSequence SystemRandom seed Random".split())
BY_NAME = {"now": "clock", "utcnow": "clock", "today": "clock"}
# Under Landlock temporary files are in a folder of the copy's own. Where one was made matters for a crash alone.
TEMPORARY = ("gettempdir", "gettempdirb")
MADE_THERE = ("mkdtemp", "mkstemp", "mktemp", "NamedTemporaryFile", "TemporaryDirectory")
# Show a value, or make text of it, and cannot fail for what it is.
SHOWING = frozenset("print str repr format display round int float info debug warning error write append".split())
DECISIONS = (ast.If, ast.While, ast.IfExp, ast.Assert)


def doubt_about(told, source, shell, strength):
    """What the end of the cell may hang on: "clock", "process", "entropy", "machine", "temporary-folder", or None."""
    try:
        tree = ast.parse(shell.transform_cell(source))
    except (SyntaxError, ValueError):
        return None
    raised = told["status"] == "raised"
    reading = _Reading(tree, shell.user_ns, _table(strength, raised))
    if not reading.asks:
        return None
    if raised:
        return reading.of_lines({told.get("line"), told.get("call_line")} - {None})
    return reading.of_decisions()


class _Reading:
    """`tainted`: names, and what they may have come of."""

    def __init__(self, tree, namespace, table):
        self.tree = tree
        self.namespace = namespace
        self.table = table
        self.known = {}
        self.tainted = {}
        self.asks = self._in(tree) is not None
        while self.asks and self._spread():
            pass

    def of_lines(self, lines):
        for node in ast.walk(self.tree):
            if not isinstance(node, ast.stmt) or not any(node.lineno <= line <= node.end_lineno for line in lines):
                continue
            heads = _heads(node)
            found = self._in(*heads) if heads is not None else self._in(node)
            if found:
                return found
        return None

    def of_decisions(self):
        for node in ast.walk(self.tree):
            found = None
            if isinstance(node, DECISIONS):
                found = self._in(node.test)
            elif isinstance(node, ast.For):
                found = self._in(node.iter)
            elif isinstance(node, ast.comprehension):
                found = self._in(*node.ifs)
            elif isinstance(node, ast.Subscript):
                found = self._in(node.slice)
            elif hasattr(ast, "Match") and isinstance(node, ast.Match):
                found = self._in(node.subject)
            elif isinstance(node, ast.Call):
                found = self._decides(node)
            if found:
                return found
        return None

    def _decides(self, call):
        """Whether a call may do something else for what it is given."""
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        value = self._value(call.func)
        if type(value) is types.FunctionType and value.__module__ == "__main__":
            return self._in(*call.args, *(word.value for word in call.keywords)) or self._called(call)
        found = self._in(*call.args, *(word.value for word in call.keywords))
        return found if name == "sleep" or (found in ("process", "temporary-folder") and name not in SHOWING) else None

    def _spread(self):
        """Whether one more name was found to hold what came of an answer."""
        before = len(self.tainted)
        for node in ast.walk(self.tree):
            if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.NamedExpr)):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                self._taint(self._in(node.value) if node.value is not None else None, targets)
            elif isinstance(node, (ast.For, ast.comprehension)):
                self._taint(self._in(node.iter), [node.target])
            elif isinstance(node, ast.withitem) and node.optional_vars is not None:
                self._taint(self._in(node.context_expr), [node.optional_vars])
            elif isinstance(node, (ast.If, ast.While)):
                found = self._in(node.test)
                for part in ast.walk(node) if found else ():
                    if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
                        self.tainted.setdefault(part.id, found)
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                self._taint(self._in(*node.args), [node.func.value])
        return len(self.tainted) > before

    def _taint(self, found, targets):
        for part in (part for target in targets for part in ast.walk(target)) if found else ():
            if isinstance(part, ast.Name) and type(self._value(part)) is not types.ModuleType:
                self.tainted.setdefault(part.id, found)

    def _in(self, *nodes):
        for part in (part for node in nodes for part in ast.walk(node)):
            if isinstance(part, ast.Name) and part.id in self.tainted:
                return self.tainted[part.id]
            if isinstance(part, ast.Call):
                found = self._called(part)
                if found:
                    return found
            if isinstance(part, ast.Attribute) and part.attr == "tempdir" and "tempdir" in self.table:
                return self.table["tempdir"]
        return None

    def _called(self, call):
        name = call.func.attr if isinstance(call.func, ast.Attribute) else str(getattr(call.func, "id", ""))
        value = self._value(call.func)
        found = self.table.get(id(value)) if value is not None else None
        if found is None and value is not None and name in UNSEEDED and not call.args and not call.keywords:
            return "entropy" if _module(value).partition(".")[0] in ("numpy", "random") else None
        if found is None and isinstance(call.func, ast.Attribute):
            found = BY_NAME.get(name) or self._of_method(call.func)
        return found or self._inside(value)

    def _of_method(self, function):
        held = self._value(function.value)
        member = getattr(type(held), function.attr, None) if type(held).__module__ == "__main__" else None
        return self._inside(member)

    def _inside(self, value):
        """What a function of the notebook asks for, itself or through others."""
        if type(value) is not types.FunctionType or value.__module__ != "__main__":
            return None
        if id(value) not in self.known:
            self.known[id(value)] = None
            self.known[id(value)] = self._in_code(value.__code__)
        return self.known[id(value)]

    def _in_code(self, code):
        for name in code.co_names:
            value = self.namespace.get(name)
            found = self.table.get(id(value)) or self._inside(value)
            if type(value) is types.ModuleType:
                members = map(vars(value).get, code.co_names)
                found = next((self.table[id(member)] for member in members if id(member) in self.table), None)
            if found or name in BY_NAME:
                return found or BY_NAME[name]
        for constant in code.co_consts:
            found = self._in_code(constant) if type(constant) is types.CodeType else None
            if found:
                return found
        return None

    def _value(self, node):
        if isinstance(node, ast.Name):
            return self.namespace.get(node.id)
        if isinstance(node, ast.Attribute):
            held = self._value(node.value)
            return vars(held).get(node.attr) if type(held) is types.ModuleType else None
        return None


def _module(value):
    found = getattr(value, "__module__", None) or type(value).__module__
    return found if type(found) is str else ""


def _heads(node):
    """What a compound statement evaluates before its blocks; None for a simple one."""
    if not hasattr(node, "body"):
        return None
    heads = [getattr(node, field, None) for field in ("test", "iter", "subject")]
    return [head for head in heads if head is not None] + [item.context_expr for item in getattr(node, "items", ())]


def _table(strength, raised):
    """id of a function to what it tells, for the modules that are loaded; and the name of the one variable that tells."""
    table = {}
    for name, (functions, tells) in FUNCTIONS.items():
        held = vars(sys.modules[name]) if name in sys.modules else {}
        for function in held if functions is None else functions:
            if callable(held.get(function)):
                table[id(held[function])] = tells
    of_os = vars(sys.modules["os"])
    table.update((id(of_os[name]), tells) for name, tells in MORE_OF_OS.items() if name in of_os)
    if strength == "landlock" and "tempfile" in sys.modules:
        held = vars(sys.modules["tempfile"])
        names = TEMPORARY + MADE_THERE if raised else TEMPORARY
        table.update((id(held[name]), "temporary-folder") for name in names)
        table["tempdir"] = "temporary-folder"
    return table
