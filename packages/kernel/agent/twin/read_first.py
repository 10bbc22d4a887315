# The names that a cell may read before it has bound them itself. `x = load()` and then `x.mean()` does not need the old `x`.
# What is uncertain counts as read: a branch, a loop or a `try` that may not have bound a name.
import ast

BLOCKS = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try, getattr(ast, "TryStar", ast.Try))
NEW_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def read_first(tree):
    read = set()
    _statements(tree.body, set(), read)
    return read


def _statements(statements, bound, read):
    """Add to both: `bound` are the names that are certainly bound behind these statements."""
    for statement in statements:
        _statement(statement, bound, read)


def _statement(node, bound, read):
    if not isinstance(node, BLOCKS):
        _read_in(node, bound, read)
        bound -= {name.id for name in _names(node) if isinstance(name.ctx, ast.Del)}
        bound |= _bound_by(node)
        return
    if isinstance(node, ast.If):
        _read_in(node.test, bound, read)
        one, other = set(bound), set(bound)
        _statements(node.body, one, read)
        _statements(node.orelse, other, read)
        bound &= one & other
        bound |= one & other
    elif isinstance(node, (ast.With, ast.AsyncWith)):
        for item in node.items:
            _read_in(item, bound, read)
        # A context may swallow what its body raises.
        _statements(node.body, bound | _stored(node.items), read)
    elif isinstance(node, (ast.For, ast.AsyncFor)):
        _read_in(node.iter, bound, read)
        _read_in(node.target, bound, read)
        _statements(node.body, bound | _stored([node.target]), read)
        _statements(node.orelse, set(bound), read)
    elif isinstance(node, ast.While):
        _read_in(node.test, bound, read)
        _statements(node.body, set(bound), read)
        _statements(node.orelse, set(bound), read)
    else:
        _statements(node.body, set(bound), read)
        for handler in node.handlers:
            if handler.type is not None:
                _read_in(handler.type, bound, read)
            _statements(handler.body, bound | ({handler.name} if handler.name else set()), read)
        _statements(node.orelse, set(bound), read)
        _statements(node.finalbody, set(bound), read)
    # A name that a block may delete is not certain behind it.
    bound -= {name.id for name in _names(node) if isinstance(name.ctx, ast.Del)}
    bound -= {one.name for one in ast.walk(node) if isinstance(one, ast.ExceptHandler)}


def _read_in(node, bound, read):
    stored = {id(node.target)} if isinstance(node, ast.AugAssign) else set()
    for name in _names(node):
        if not isinstance(name.ctx, ast.Store) or id(name) in stored:
            read.update({name.id} - bound)


def _bound_by(node):
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return {(alias.asname or alias.name).split(".")[0] for alias in node.names}
    if isinstance(node, NEW_SCOPES):
        return {node.name}
    if isinstance(node, ast.Assign):
        return _stored(node.targets)
    if isinstance(node, ast.AnnAssign) and node.value is not None:
        return _stored([node.target])
    return set()


def _stored(nodes):
    return {name.id for node in nodes for name in _names(node) if isinstance(name.ctx, ast.Store)}


def _names(node):
    return (one for one in ast.walk(node) if isinstance(one, ast.Name))
