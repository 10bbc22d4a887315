"""The command `grus`: a program for Node that travels in this package."""

import os
import subprocess
import sys

from .node import NodeMissing, node_command

PROGRAM = os.path.join(os.path.dirname(__file__), "node", "bin", "grus.cjs")


def main():
    try:
        command = [node_command(), PROGRAM, *sys.argv[1:]]
    except NodeMissing as missing:
        sys.stderr.write("grus: %s\n" % missing)
        sys.exit(2)
    environment = dict(os.environ, GRUS_OWN_PYTHON=sys.executable)
    if os.name == "posix":
        # The same process: signals and exit codes are the program's own.
        os.execve(command[0], command, environment)
    sys.exit(subprocess.call(command, env=environment))
