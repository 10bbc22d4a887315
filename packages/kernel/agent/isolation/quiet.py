# Cuts a copy off the notebook: what it prints or shows is recorded here, no message leaves, nobody is asked for input.
# Everything is patched at class level, because old streams are held by logging handlers and the like.
import binascii
import builtins
import sys
import threading

from ..protocol import reasons

TEXT_LIMIT = 60_000
# Characters of pictures and tables together: what is told of a cell must stay one line of the pipe.
SHOWN_LIMIT = 600_000
SHOWN = ("image/png", "image/jpeg", "text/html")


class NoVerdict(BaseException):
    """Ends the run: the cell did something that a copy cannot answer for; `reason` says what."""

    def __init__(self, reason):
        super().__init__(reason["code"])
        self.reason = reason


class Output:
    """What the cell printed and showed, capped: as text, and where it is asked for as pictures and tables too."""

    def __init__(self, rich=False):
        self.rich = rich
        self.clear()

    def clear(self):
        self.pieces = []
        self.left = TEXT_LIMIT
        self.dropped = 0
        self.shown = []
        self.room = SHOWN_LIMIT

    def show(self, data):
        self.write(str(data.get("text/plain", "")) + "\n")
        if not self.rich:
            return
        kept = {}
        for kind in SHOWN:
            text = data.get(kind)
            if type(text) is bytes:
                text = binascii.b2a_base64(text, newline=False).decode()
            if type(text) is str and len(text) <= self.room:
                kept[kind] = text
                self.room -= len(text)
        if kept:
            self.shown.append(kept)

    def write(self, text):
        if type(text) is not str:
            raise TypeError("write() argument must be str, not %s" % type(text).__name__)
        kept = text[: self.left]
        if kept:
            self.pieces.append(kept)
            self.left -= len(kept)
        self.dropped += len(text) - len(kept)
        return len(text)

    def text(self):
        return "".join(self.pieces)


class Errors:
    """Stands in for IPython's printing of tracebacks: keeps the exceptions that would have been shown."""

    def __init__(self):
        self.shown = []

    def showtraceback(self, *args, **kwargs):
        told = args[0] if args and isinstance(args[0], tuple) else sys.exc_info()
        self.shown.append(told[1])

    def showsyntaxerror(self, *args, **kwargs):
        self.shown.append(sys.exc_info()[1])


def cut_off(kernel, output, errors):
    shell = kernel.shell
    _streams(output)
    _messages()
    _display(shell, output)
    _input(kernel)
    record_errors(shell, errors)
    _history(shell.history_manager)


def _history(manager):
    """Its thread is not in the copy, and may have held these locks when the kernel was forked."""
    if hasattr(manager, "save_thread"):
        manager.save_thread = None
    for name in ("db_input_cache_lock", "db_output_cache_lock"):
        if hasattr(manager, name):
            setattr(manager, name, threading.Lock())


def record_errors(shell, errors):
    shell.showtraceback = errors.showtraceback
    shell.showsyntaxerror = errors.showsyntaxerror
    shell.showindentationerror = errors.showsyntaxerror
    shell._format_exception_for_storage = lambda *args, **kwargs: {}
    shell.history_manager.enabled = False


def _loaded(name):
    return sys.modules.get(name)


def _streams(output):
    iostream = _loaded("ipykernel.iostream")
    if iostream is None:
        return
    stream = iostream.OutStream
    stream.write = lambda self, text: output.write(text)
    stream.writelines = lambda self, lines: [output.write(line) for line in lines] and None
    stream.flush = lambda self: None
    stream._flush = lambda self: None
    stream._schedule_flush = lambda self: None
    stream.close = lambda self: None
    # IPython leaves the method that it wrapped last on the stream itself.
    for made in (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__):
        if isinstance(made, stream):
            vars(made).pop("write", None)
    thread = iostream.IOPubThread
    thread.send_multipart = thread._really_send = lambda self, *args, **kwargs: None
    thread.schedule = lambda self, function: None


def _messages():
    session = _loaded("jupyter_client.session")
    if session is not None:
        session.Session.send = lambda self, *args, **kwargs: None
        session.Session.send_raw = lambda self, *args, **kwargs: None


def _display(shell, output):
    publisher = type(shell.display_pub)
    publisher.publish = lambda self, data, metadata=None, **kwargs: output.show(data)
    publisher.clear_output = lambda self, wait=False: None
    hook = type(shell.displayhook)
    hook.write_format_data = lambda self, data, metadata=None: output.show(data)
    hook.write_output_prompt = hook.finish_displayhook = lambda self: None


def _input(kernel):
    def refuse(self, *args, **kwargs):
        raise NoVerdict(reasons.asks_for_input())

    for cls in type(kernel).__mro__:
        for name in ("raw_input", "getpass", "_input_request"):
            if name in vars(cls):
                setattr(cls, name, refuse)
    sys.breakpointhook = lambda *args, **kwargs: refuse(None)
    builtins.input = lambda prompt="": refuse(None)
    getpass = _loaded("getpass")
    if getpass is not None:
        vars(getpass)["getpass"] = lambda *args, **kwargs: refuse(None)
    # `exit` and `quit` would end the kernel.
    kernel.shell.ask_exit = refuse_exit


def refuse_exit():
    raise NoVerdict(reasons.ends_kernel())
