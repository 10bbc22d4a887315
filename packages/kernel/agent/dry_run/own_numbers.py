# The numbers of the process. The notebook's own code is told those of the kernel, so that a file named by one is found;
# libraries, which look whether they were forked, are told the truth. A process that the cell forks has numbers of its own.
# A signal to the kernel's number comes to the copy.
import os
import sys

ANSWERED = ("getpid", "getppid", "getpgrp")


class OwnNumbers:
    """Taken in the kernel, before the fork."""

    def __init__(self):
        self.of_kernel = {name: getattr(os, name)() for name in ANSWERED}

    def tell(self):
        """In the copy, from here on."""
        own = os.getpid()
        real = {name: getattr(os, name) for name in ANSWERED}

        def told(name):
            def asked():
                if sys._getframe(1).f_globals.get("__name__") != "__main__":
                    return real[name]()
                if real["getpid"]() == own:
                    return self.of_kernel[name]
                # A child of the copy: its parent is the one that passes for the kernel.
                answer = real[name]()
                return self.of_kernel["getpid"] if answer == own else answer

            return asked

        for name in ANSWERED:
            setattr(os, name, told(name))
        kill = os.kill
        os.kill = lambda pid, number: kill(own if pid == self.of_kernel["getpid"] else pid, number)
