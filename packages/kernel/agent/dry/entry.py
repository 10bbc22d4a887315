# How dry runs are asked for: a message type of their own on the kernel's shell channel. The rest of this folder is
# loaded with the first request, so that kernels without dry runs carry nothing of it.
import sys

REQUEST = "grus_dry_request"
REPLY = "grus_dry_reply"


def install(version, load):
    """Register the handler. `load(name)` gives a module of the agent, loading it when it is new."""
    kernel = sys.modules["ipykernel.kernelbase"].Kernel._instance

    def handle(stream, ident, parent):
        def finish(content):
            content["agent"] = version
            kernel.session.send(stream, REPLY, content, parent, ident=ident)

        request = parent["content"]
        if request.get("agent") not in (None, version):
            finish({"status": "stale"})
            return
        try:
            launch = load("agent.dry.launch")
            strengths = launch.allowed_strengths(request)
            if not strengths:
                finish({"status": "refused", "because": "the isolation asked for is weaker than the one required"})
                return
            launch.DryRun(kernel, request, finish, load.sources).start(strengths)
        except Exception as error:
            finish({"status": "error", "ename": type(error).__name__, "evalue": str(error)[:500]})

    kernel.shell_handlers[REQUEST] = handle
