"""What a busy machine keeps a copy from doing is given back to it; what it sleeps away is not."""

import os
import subprocess
import sys
import time
import types
import unittest

from agent.isolation import waiting

WORKS = "import time\nwhile time.process_time() < 0.3: pass\nprint('done', flush=True)\nwhile True: pass"


def started(code):
    processor = min(os.sched_getaffinity(0))
    return subprocess.Popen(
        [sys.executable, "-c", "import os\nos.sched_setaffinity(0, {%d})\n%s" % (processor, code)], stdout=subprocess.PIPE
    )


def job(seconds, past=0.0):
    return types.SimpleNamespace(seconds=seconds, deadline=time.monotonic() - past)


@unittest.skipUnless(os.path.exists("/proc/self/schedstat"), "Linux counts it")
class Waiting(unittest.TestCase):
    def test_processes_that_share_a_processor_get_back_what_they_waited(self):
        both = [started(WORKS), started(WORKS)]
        try:
            for process in both:
                process.stdout.readline()
            left = [waiting.time_left(process.pid, job(10)) for process in both]
            self.assertGreater(max(left), 0.1)
            self.assertEqual([waiting.time_left(process.pid, job(0.001, past=5)) for process in both], [0, 0])
        finally:
            for process in both:
                process.kill()
                process.communicate()

    def test_a_process_that_sleeps_gets_nothing_back(self):
        process = started("print(flush=True)\nimport time\ntime.sleep(100)")
        try:
            process.stdout.readline()
            self.assertEqual(waiting.time_left(process.pid, job(10, past=9)), 0)
        finally:
            process.kill()
            process.communicate()

    def test_a_process_that_is_gone_has_no_time_left(self):
        process = started("pass")
        process.communicate()
        self.assertEqual(waiting.time_left(process.pid, job(10)), 0)
