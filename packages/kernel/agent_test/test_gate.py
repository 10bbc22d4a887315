"""When a kernel may be forked, and what a copy tells over its pipe."""

import json
import os
import signal
import sys
import threading
import unittest

from agent.isolation import gate, own_waits
from agent.isolation.effects import Effects
from agent.isolation.pipe import Teller


@unittest.skipUnless(sys.platform == "linux", "copies are made on Linux")
class Gate(unittest.TestCase):
    def refusal(self):
        with self.assertRaises(gate.Refused) as caught:
            gate.check(None)
        return caught.exception.reason["code"]

    def once_nothing_is_at_work(self):
        """A thread that was just started comes to its wait a moment later."""
        while True:
            try:
                return gate.check(None)
            except gate.Refused as refused:
                if not refused.passing:
                    raise
                threading.Event().wait(0.01)

    def test_a_process_with_parked_threads_may_be_forked(self):
        asked = threading.Event()
        parked = threading.Thread(target=asked.wait, name="parked")
        parked.start()
        try:
            self.assertEqual(self.once_nothing_is_at_work(), ["parked"])
        finally:
            asked.set()
            parked.join()

    def test_a_thread_at_work_is_a_reason_that_passes(self):
        end = threading.Event()

        def work():
            while not end.is_set():
                pass

        busy = threading.Thread(target=work, name="busy")
        busy.start()
        try:
            with self.assertRaises(gate.Refused) as caught:
                gate.check(None)
        finally:
            end.set()
            busy.join()
        self.assertEqual(caught.exception.reason, {"code": "thread-at-work", "thread": "busy"})
        self.assertTrue(caught.exception.passing)

    def test_only_the_main_thread_forks(self):
        told = []
        asking = threading.Thread(target=lambda: told.append(self.refusal()))
        asking.start()
        asking.join()
        self.assertEqual(len(told), 1)

    def refusal_beside(self, source):
        """Why a kernel is not forked in which a thread has started on this function `work` of the notebook's."""
        namespace = {"__name__": "__main__", "end": threading.Event()}
        exec(source, namespace)
        parked = threading.Thread(target=namespace["work"])
        parked.start()
        try:
            return own_waits.are_there(namespace)
        finally:
            namespace["end"].set()
            parked.join()

    def test_a_thread_that_collects_any_child_by_polling(self):
        polls = "import os\ndef poll():\n    return os.waitpid(-1, os.WNOHANG)\n"
        self.assertTrue(self.refusal_beside(polls + "def work():\n    end.wait()\n    end and not end and poll()"))
        self.assertTrue(self.refusal_beside("import os\ndef work():\n    end.wait()\n    end or os.wait()"))
        self.assertFalse(self.refusal_beside("import os\ndef work():\n    end.wait()\n    os.getcwd()"))

    def test_a_handler_of_an_alarm_that_collects_any_child(self):
        namespace = {"__name__": "__main__"}
        exec("import os\ndef collect(*_):\n    os.waitpid(-1, os.WNOHANG)", namespace)
        before = signal.signal(signal.SIGALRM, namespace["collect"])
        try:
            self.assertTrue(own_waits.are_there(namespace))
        finally:
            signal.signal(signal.SIGALRM, before)
        self.assertFalse(own_waits.are_there(namespace))

    def test_a_notebook_that_handles_the_end_of_children_itself(self):
        before = signal.signal(signal.SIGCHLD, lambda *_: None)
        try:
            self.refusal()
        finally:
            signal.signal(signal.SIGCHLD, before)


class Pipe(unittest.TestCase):
    def test_lines_start_with_the_word_that_only_the_agent_knows(self):
        reading, writing = os.pipe()
        Teller(writing, "word").tell(cell=0, status="finished")
        os.close(writing)
        with os.fdopen(reading) as file:
            line = file.read()
        self.assertTrue(line.startswith("word") and line.endswith("\n"))
        self.assertEqual(json.loads(line[len("word") :]), {"cell": 0, "status": "finished"})


class Notes(unittest.TestCase):
    def test_effects_are_noted_by_kind_and_not_without_end(self):
        effects = Effects()
        effects.note("network", "socket.connect host", True)
        for number in range(100):
            effects.note("change", "file %d" % number)
        self.assertEqual([note["what"] for note in effects.of_kind("network")], ["socket.connect host"])
        self.assertEqual(len(effects.denied()), 1)
        self.assertLess(len(effects.notes), 100)
