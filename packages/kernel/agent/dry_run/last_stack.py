# Where a copy is when its time is almost up: a thread of its own looks at the stack of the cell and tells it. It holds
# the interpreter's lock while it looks; a stack that is read without it (as faulthandler does) can kill the copy. Native
# code that never lets go of the lock is not interrupted: then nothing is told.
import _thread
import sys

DEEPEST = 30
LONGEST_NAME = 100


def tell_after(seconds, teller):
    watched = _thread.get_ident()
    pause = _thread.allocate_lock()
    pause.acquire()

    def look():
        pause.acquire(timeout=seconds)
        frame = sys._current_frames().get(watched)
        teller.tell(where=list(_stack(frame)))

    _thread.start_new_thread(look, ())


def _stack(frame):
    """The deepest frame first."""
    for _ in range(DEEPEST):
        if frame is None:
            return
        name = frame.f_code.co_filename[-LONGEST_NAME:]
        yield {"file": name, "line": frame.f_lineno or 0, "function": frame.f_code.co_name[:LONGEST_NAME]}
        frame = frame.f_back
