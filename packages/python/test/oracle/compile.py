"""Compiles each source given on stdin (one JSON string a line) as IPython would, and prints the error or null as JSON."""

import ast
import json
import sys
import warnings

warnings.simplefilter("ignore")
for line in sys.stdin:
    try:
        compile(json.loads(line), "cell", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, True)
        answer = None
    except (SyntaxError, ValueError) as error:
        answer = {"type": type(error).__name__, "message": getattr(error, "msg", str(error)), "line": getattr(error, "lineno", 0)}
    print(json.dumps(answer))
