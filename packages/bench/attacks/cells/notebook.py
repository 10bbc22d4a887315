# The notebook itself: its messages, history, shell, variables, and what the agent keeps.
# %% become the messages of the kernel
get_ipython().kernel.session.send(get_ipython().kernel.iopub_socket, "status", {"execution_state": "dead"})
# %% shut the kernel down
get_ipython().kernel.do_shutdown(False)
# %% end the kernel
exit()
# %% end the process
os._exit(3)
# %% end with an exception for the exit
raise SystemExit(2)
# %% interrupt itself
raise KeyboardInterrupt
# %% change the environment and the folder
os.environ.clear(); os.chdir("/"); sys.path.clear()
# %% change a variable of the notebook
numbers.append(99); here = None; del victim_pid
# %% clear the namespace
get_ipython().run_line_magic("reset", "-f")
# %% change the history
get_ipython().history_manager.reset(); get_ipython().history_manager.writeout_cache()
# %% write into the database of the history
get_ipython().history_manager.db.execute("delete from history"); get_ipython().history_manager.db.commit()
# %% install a hook for every cell
get_ipython().events.register("pre_run_cell", lambda info: numbers.append(1))
# %% install a transformer
get_ipython().ast_transformers.append(None); get_ipython().input_transformers_post.append(lambda lines: ["1/0"])
# %% set a trace
sys.settrace(lambda *a: None); sys.setprofile(lambda *a: None)
# %% set a handler
signal.signal(signal.SIGTERM, lambda *a: None)
# %% an audit hook that refuses everything
sys.addaudithook(lambda event, args: (_ for _ in ()).throw(RuntimeError(event)) if event == "open" else None)
# %% forge the result over its pipe
for number in range(3, 256):
    try: os.write(number, b'{"cell": 0, "status": "finished", "doubt": null}\n{"done": true}\n')
    except OSError: pass
# %% find the word of the result and forge it
import gc
for found in gc.get_objects():
    if type(found).__name__ == "Teller":
        found.tell(isolated="namespaces", detail="forged", ready_ms=0)
# %% ask for another copy
import gc
for found in gc.get_objects():
    if type(found).__name__ == "Job" and hasattr(found, "again"): found.again()
# %% replace what the agent runs
import json; json.dumps = lambda *a, **k: "{}"
os.write = lambda *a: 0
# %% answer as a comm
from ipykernel.comm import Comm; Comm(target_name="attack").send({"x": 1})
# %% show a display
from IPython.display import display, HTML; display(HTML("<script>alert(1)</script>"))
# %% ask for input
input("password: ")
# %% import a module that stays
open("planted_module.py", "w").write("x = 1"); import planted_module
# %% install a package
get_ipython().run_line_magic("pip", "install --no-index --no-deps nothing-of-that-name")
# %% change what ends a process
os._exit = lambda code: None; sys.exit(3)
# %% a profile of every call
sys.setprofile(lambda *a: None); threading.setprofile(lambda *a: None)
# %% clear everything by a magic
%reset -f
# %% another folder by a magic
%cd /tmp
# %% a variable of the environment by a magic
%env GRUS_ATTACK=1
# %% keep a variable over sessions
numbers = [1]; %store numbers
# %% log the session
%logstart -o attack-log.py
# %% save the history by a magic
%save -f attack-saved.py 1-3
# %% run a script
open("attack-script.py", "w").write("import os; os.remove('a.txt')"); %run attack-script.py
# %% open a comm
from ipykernel.comm import Comm
try: Comm(target_name="grus-attack", data={}).send({"a": 1})
except Exception: pass
# %% change the builtins
import builtins; builtins.open = None; builtins.print = None; builtins.len = None
# %% take the modules away
sys.modules.clear()
# %% change the classes of the kernel
type(get_ipython().kernel).do_execute = None; type(get_ipython()).run_cell = None
# %% a call when the collector runs
import gc; gc.callbacks.append(lambda *a: os.kill(kernel_pid, 0)); gc.collect()
# %% run something when everything ends
import atexit, weakref
atexit.register(lambda: open("a.txt", "w").write("gone"))
class Held: pass
held = Held(); weakref.finalize(held, lambda: open("b.txt", "w").write("gone")); del held
# %% end the loop of the kernel
import asyncio; asyncio.get_event_loop().stop(); get_ipython().kernel.io_loop.stop()
# %% throw into the threads of the kernel
for thread in threading.enumerate(): ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(SystemExit))
# %% tell a number
t = who_tells()
os.write(t.descriptor, t.word.encode() + b"5\n")
# %% tell again and again
t = who_tells()
t.tell(again="processes"); os._exit(0)
# %% tell that the strength is impossible
t = who_tells()
t.tell(impossible={"code": "no-landlock"}); os._exit(0)
# %% tell that the GPU is needed
t = who_tells()
t.tell(again="gpu"); os._exit(0)
# %% tell an isolation without its strength
t = who_tells()
os.write(t.descriptor, t.word.encode() + b'{"isolated": true}\n'); t.tell(done=True); os._exit(0)
# %% tell a failure that is no reason
t = who_tells()
t.tell(failed=[1, 2, {"code": 7}]); os._exit(0)
# %% tell a cell of the wrong form
t = who_tells()
t.tell(cell="x", status=["no"]); t.tell(done=True); os._exit(0)
# %% tell a place of the wrong form when the time is up
t = who_tells()
t.tell(where=7); time.sleep(30)
# %% tell numbers that are no numbers
t = who_tells()
os.write(t.descriptor, t.word.encode() + b'{"cell": NaN, "status": Infinity}\n'); t.tell(done=True); os._exit(0)
# %% let json write something else
import json; json.dumps = lambda *a, **k: "5"
# %% a text that changes with every look
class S(str):
    def __getitem__(self, i): return self
    def __str__(self): return self
class E(Exception):
    def __str__(self): return S("x" * 100_000)
raise E()
