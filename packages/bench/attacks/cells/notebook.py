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
