"""What a twin on a GPU asks of the driver's tool, and what nobody asks for it."""

import os
import socket
import subprocess
import sys
import tempfile
import unittest

from agent.twin import driver_tools

TOOL = """#!/bin/sh
echo "$@" >> "{asked}"
echo "Two, 95830 MiB"
exit 3
"""
# As in a twin: the tool itself cannot be started there, since the path is empty.
TWIN = """
import os, subprocess, sys
sys.path.insert(0, {root!r})
from agent.twin import driver_tools
os.environ["PATH"] = ""
driver_tools.ask_through({descriptor})
command = ("nvidia-smi", "--query-gpu=name,memory.total", "--format=csv,noheader")
done = subprocess.run(command, capture_output=True, text=True)
print(done.returncode, done.stdout, subprocess.call(["nvidia-smi", "-L"]))
try:
    subprocess.check_output(["nvidia-smi", "--query-gpu=memory.used"])
except FileNotFoundError:
    print("not asked")
"""


class DriverTools(unittest.TestCase):
    def test_only_what_never_changes_is_a_question(self):
        for words in (["nvidia-smi", "-L"], ["/usr/bin/nvidia-smi", "--query-gpu=count,name", "--format=csv,noheader"]):
            self.assertTrue(driver_tools.is_question(words))
        for words in (
            ["nvidia-smi"],
            ["nvidia-smi", "--gpu-reset"],
            ["nvidia-smi", "-L", "-pl", "100"],
            ["nvidia-smi", "--query-gpu=memory.used"],
            ["nvidia-smi", "--query-gpu="],
            ["nvidia-smi", "--filename=/tmp/x", "-L"],
            ["sh", "-L"],
            "nvidia-smi -L",
            ["nvidia-smi", 1],
            [],
            None,
        ):
            self.assertFalse(driver_tools.is_question(words))

    def test_the_answer_comes_through_the_channel(self):
        with tempfile.TemporaryDirectory() as folder:
            asked = os.path.join(folder, "asked")
            path = os.path.join(folder, "nvidia-smi")
            with open(path, "w") as file:
                file.write(TOOL.format(asked=asked))
            os.chmod(path, 0o755)
            before, os.environ["PATH"] = os.environ["PATH"], folder + os.pathsep + os.environ["PATH"]
            self.addCleanup(os.environ.__setitem__, "PATH", before)
            here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
            text = TWIN.format(root=root, descriptor=there.fileno())
            with subprocess.Popen(
                [sys.executable, "-c", text], pass_fds=[there.fileno()], stdout=subprocess.PIPE, text=True
            ) as twin:
                there.close()
                answers = {}
                while driver_tools.answer(here, answers):
                    pass
                output, _ = twin.communicate()
            here.close()
            self.assertEqual(output, "3 Two, 95830 MiB\n 3\nnot asked\n")
            with open(asked) as file:
                self.assertEqual(file.read(), "--query-gpu=name,memory.total --format=csv,noheader\n-L\n")

    def test_what_is_no_message_ends_the_conversation(self):
        for message in (b"[" * 9000, b"\xff", b""):
            here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            there.send(message)
            there.close()
            self.assertFalse(driver_tools.answer(here, {}))
            here.close()


if __name__ == "__main__":
    unittest.main()
