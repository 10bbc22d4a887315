# The first words of a fresh process that stands in for the kernel: Python finds the agent's own modules in the setting that
# the process was given. The spare process and the twin that starts without one begin alike.

DETACH = """
import os
if os.fork():
    os._exit(0)
os.setsid()"""
FINDER = """
import importlib.abc, importlib.util, json, os, sys
def settle(setting):
    sys.path[:] = setting["path"]
    class Sources(importlib.abc.MetaPathFinder, importlib.abc.Loader):
        def find_spec(self, name, path=None, target=None):
            if name.partition(".")[0] == "grus_agent":
                return importlib.util.spec_from_loader(name, self, is_package=name not in setting["sources"])
        def exec_module(self, module):
            text = setting["sources"].get(module.__name__, "")
            exec(compile(text, "<grus " + module.__name__ + ">", "exec"), module.__dict__)
    sys.meta_path.insert(0, Sources())"""
KEEP = """
told, channel, places, kernel = (int(word) for word in sys.argv[1:])
with os.fdopen(told, "rb") as file:
    setting = json.loads(file.read())
settle(setting)
from grus_agent.twin import spare
spare.keep(setting, channel, places, kernel)"""
RUN = """
payload, told, word = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
carried = os.fdopen(payload, "rb")
setting = json.loads(carried.readline())
settle(setting)
from grus_agent.isolation.pipe import Teller
from grus_agent.twin import process
process.run(setting, carried, Teller(told, word))
os._exit(0)"""
# Arguments: the descriptors of the setting, of the channel and of what it finds in libraries, and the process of the kernel.
SPARE = DETACH + FINDER + KEEP
# Arguments: the descriptor of what the cell needs, that of the pipe, and the word that lines of it begin with.
TWIN = FINDER + RUN
