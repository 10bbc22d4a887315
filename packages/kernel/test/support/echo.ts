// Registers a handler for a message type of our own in the kernel, the way the agent does.
import type { Kernel } from '../../src/index.js';

const code = `
def _install():
    kernel = get_ipython().kernel
    def echo(stream, ident, parent):
        content = parent["content"]
        if "fail" in content:
            raise RuntimeError("no reply")
        body = {"status": "ok", "got": content, "buffers": len(parent["buffers"])}
        kernel.session.send(stream, "grus_echo_reply", body, parent, ident, buffers=[b"back"])
    kernel.shell_handlers["grus_echo_request"] = echo
_install()
del _install
`;

export async function installEcho(kernel: Kernel): Promise<void> {
  const result = await kernel.execute(code, { silent: true });
  if (result.status !== 'ok') {
    throw new Error(result.error?.evalue ?? result.status);
  }
}
