"""Prints, for each Python file named on stdin, what CPython says of it: its symbol tables as JSON, or null if it does not compile."""

import json
import symtable
import sys
import warnings

warnings.simplefilter("ignore")


def table(block):
    symbols = []
    for symbol in block.get_symbols():
        if symbol.get_name().startswith(".") or symbol.get_name() in ("__class__", "__classdict__"):
            continue
        symbols.append(
            [
                symbol.get_name(),
                symbol.is_referenced(),
                symbol.is_assigned() or symbol.is_imported() or symbol.is_parameter(),
                "local" if symbol.is_local() else "free" if symbol.is_free() else "global",
            ]
        )
    return {
        "line": block.get_lineno(),
        "symbols": sorted(symbols),
        "children": [table(child) for child in block.get_children()],
    }


for line in sys.stdin:
    path = line.strip()
    try:
        with open(path, encoding="utf-8") as file:
            source = file.read()
        compile(source, path, "exec")
        answer = table(symtable.symtable(source, path, "exec"))
    except (SyntaxError, ValueError, UnicodeDecodeError):
        answer = None
    print(json.dumps(answer))
