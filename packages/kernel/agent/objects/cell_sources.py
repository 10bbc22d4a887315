# Where code came from: the cell a function or class was defined in, and its text, taken from what IPython keeps in
# linecache. No file is read. A cell's file name is derived from its text, so parsed cells can be kept between requests.
import ast
import linecache

from .lookup import class_dict, instance_dict

_parsed = {}
KEEP = 400
# Characters of a cell that is parsed; a longer one holds the kernel up.
LONGEST = 50_000
# Characters of all cells that another process is told.
MOST = 2_000_000


class Cells:
    """The cells this kernel has compiled, by the file name of their code."""

    def __init__(self, shell):
        compiler = instance_dict(shell.compile) if shell is not None else None
        found = compiler.get("_filename_map") if compiler else None
        self.counts = found if type(found) is dict else {}

    def execution_count(self, filename):
        count = self.counts.get(filename)
        return count if type(count) is int else None

    def lines(self, filename):
        if filename not in self.counts:
            return None
        entry = linecache.cache.get(filename)
        return entry[2] if type(entry) is tuple and len(entry) == 4 else None

    def texts(self):
        """[(file name, lines)], the newest first, up to MOST characters."""
        found, size = [], 0
        for filename in sorted(self.counts, key=lambda name: -(self.execution_count(name) or 0)):
            lines = self.lines(filename)
            if type(lines) is list and all(type(line) is str for line in lines):
                size += sum(map(len, lines))
                if size > MOST:
                    break
                found.append((filename, lines))
        return found

    def definitions(self, filename):
        """[(qualified name, first line, last line)] of the functions and classes of a cell."""
        if filename in _parsed:
            return _parsed[filename]
        lines = self.lines(filename)
        if lines is None or sum(map(len, lines)) > LONGEST:
            return []
        if len(_parsed) > KEEP:
            _parsed.clear()
        try:
            found = list(_definitions(ast.parse("".join(lines)), ""))
        except (SyntaxError, ValueError, RecursionError):
            found = []
        _parsed[filename] = found
        return found

    def source(self, filename, qualname, first_line=None):
        """(text, first line) of a definition; the line decides between two of the same name."""
        candidates = [entry for entry in self.definitions(filename) if entry[0] == qualname]
        if first_line is not None:
            candidates = [entry for entry in candidates if entry[1] <= first_line <= entry[2]]
        if not candidates:
            return None, None
        _, start, end = candidates[-1]
        return "".join((self.lines(filename) or [])[start - 1 : end]), start

    def of_class(self, cls, qualname):
        """(file name, text, first line) of a class of a cell: by its methods, else by its name, newest cell first."""
        for value in list(class_dict(cls).values()):
            code = getattr(value, "__code__", None) if type(value) is type(_definitions) else None
            if code is not None and code.co_filename in self.counts:
                text, line = self.source(code.co_filename, qualname)
                if text is not None:
                    return code.co_filename, text, line
        for filename in sorted(self.counts, key=lambda name: -(self.execution_count(name) or 0)):
            lines = self.lines(filename)
            if lines is None or not any("class " + qualname.rpartition(".")[2] in line for line in lines):
                continue
            text, line = self.source(filename, qualname)
            if text is not None:
                return filename, text, line
        return None, None, None


def remember(texts):
    """In another process: what was told of cells."""
    for filename, lines in texts:
        linecache.cache[filename] = sum(map(len, lines)), None, lines, filename


def _definitions(tree, prefix):
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            start = min([node.lineno] + [decorator.lineno for decorator in node.decorator_list])
            yield prefix + node.name, start, node.end_lineno
            inner = prefix + node.name + ("." if isinstance(node, ast.ClassDef) else ".<locals>.")
            yield from _definitions(node, inner)
        elif not isinstance(node, ast.expr):
            yield from _definitions(node, prefix)
