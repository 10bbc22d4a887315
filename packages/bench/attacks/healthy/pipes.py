# Pipes, sockets and other connections that were open before the cell.
# %% read a line that waits in a pipe
import os, json
r, w = os.pipe(); os.write(w, b'{"a": 1}\n')
# then
assert json.loads(os.read(r, 100))["a"] == 1
# %% read a number that waits in a pipe
import os
r2, w2 = os.pipe(); os.write(w2, b"42")
# then
value = int(os.read(r2, 10)); assert value == 42
# %% read the first word of a pipe
import os
r3, w3 = os.pipe(); os.write(w3, b"ready go")
# then
first = os.read(r3, 100).split()[0]
# %% a file object over a pipe
import os
r4, w4 = os.pipe(); os.write(w4, b"one\ntwo\n"); os.close(w4); lines = os.fdopen(r4)
# then
assert next(lines) == "one\n"
# %% write into a pipe that somebody reads
import os
r5, w5 = os.pipe()
# then
assert os.write(w5, b"x") == 1
# %% see whether something waits in a pipe
import os, select
r6, w6 = os.pipe()
# then
assert select.select([r6], [], [], 0)[0] == []
# %% see that something waits in a pipe
import os, select
r7, w7 = os.pipe(); os.write(w7, b"x")
# then
ready, _, _ = select.select([r7], [], [], 0); assert ready and os.read(ready[0], 1) == b"x"
# %% poll a pipe
import os, select
r8, w8 = os.pipe(); p8 = select.poll(); p8.register(r8, select.POLLIN)
# then
assert p8.poll(0) == []
# %% poll a pipe anew
import os, select
r9, w9 = os.pipe()
# then
p9 = select.poll(); p9.register(r9, select.POLLIN); assert p9.poll(0) == []
# %% a selector over a socket
import selectors, socket
a10, b10 = socket.socketpair(); s10 = selectors.DefaultSelector(); s10.register(a10, selectors.EVENT_READ)
# then
assert s10.select(0) == []
# %% a new selector over an old socket
import selectors, socket
a11, b11 = socket.socketpair()
# then
s11 = selectors.DefaultSelector(); s11.register(a11, selectors.EVENT_READ); assert not s11.select(0)
# %% take a socket out of a selector
import selectors, socket
a12, b12 = socket.socketpair(); s12 = selectors.DefaultSelector(); s12.register(a12, selectors.EVENT_READ)
# then
assert s12.unregister(a12).fileobj is a12
# %% take a pipe out of epoll
import os, select
r13, w13 = os.pipe(); e13 = select.epoll(); e13.register(r13)
# then
e13.unregister(r13)
# %% receive over a socket pair
import socket
a14, b14 = socket.socketpair(); b14.send(b"hello")
# then
assert a14.recv(10) == b"hello"
# %% ask and answer over a socket pair
import socket, threading
a15, b15 = socket.socketpair()
threading.Thread(target=lambda: b15.sendall(b15.recv(10).upper()), daemon=True).start()
# then
a15.sendall(b"ping"); assert a15.recv(10) == b"PING"
# %% the port of a listening socket
import socket
l16 = socket.socket(); l16.bind(("127.0.0.1", 0)); l16.listen()
# then
host, port16 = l16.getsockname(); assert port16 > 0
# %% the peer of a connection
import socket
l17 = socket.socket(); l17.bind(("127.0.0.1", 0)); l17.listen(); c17 = socket.create_connection(l17.getsockname()); d17, _ = l17.accept()
# then
assert c17.getpeername() == l17.getsockname()
# %% accept a connection that waits
import socket
l18 = socket.socket(); l18.bind(("127.0.0.1", 0)); l18.listen(); c18 = socket.create_connection(l18.getsockname())
# then
d18, address = l18.accept(); assert address[0] == "127.0.0.1"
# %% ask a server in a thread
import http.server, threading, urllib.request
class Quiet19(http.server.BaseHTTPRequestHandler):
    def do_GET(self): self.send_response(200); self.end_headers(); self.wfile.write(b"ok")
    def log_message(self, *a): pass
s19 = http.server.HTTPServer(("127.0.0.1", 0), Quiet19); threading.Thread(target=s19.serve_forever, daemon=True).start()
# then
assert urllib.request.urlopen("http://127.0.0.1:%d/" % s19.server_port).read() == b"ok"
# %% connect to a server in a thread
import socket, threading
l20 = socket.socket(); l20.bind(("127.0.0.1", 0)); l20.listen()
def serve20(): l20.accept()[0].sendall(b"hi")
threading.Thread(target=serve20, daemon=True).start()
# then
with socket.create_connection(l20.getsockname(), timeout=2) as c20: assert c20.recv(2) == b"hi"
# %% an option of a socket
import socket
s21 = socket.socket(); s21.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
# then
assert s21.getsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR) == 1
# %% an event descriptor
import os
e22 = os.eventfd(5)
# then
assert os.eventfd_read(e22) == 5
# %% a terminal pair
import os, pty
m23, t23 = pty.openpty(); os.write(t23, b"x")
# then
assert os.read(m23, 1) == b"x"
# %% the name of a terminal
import os, pty
m24, t24 = pty.openpty()
# then
assert os.ttyname(t24).startswith("/dev/")
# %% settings of a terminal
import pty, termios
m25, t25 = pty.openpty()
# then
assert len(termios.tcgetattr(t25)) == 7
# %% a pipe of asyncio's kind between two objects
import multiprocessing
a26, b26 = multiprocessing.Pipe(); b26.send({"epoch": 3})
# then
assert a26.recv()["epoch"] == 3
# %% whether a connection has something
import multiprocessing
a27, b27 = multiprocessing.Pipe(); b27.send(1)
# then
assert a27.poll()
# %% whether a connection has nothing
import multiprocessing
a28, b28 = multiprocessing.Pipe()
# then
assert not a28.poll()
# %% send on a connection
import multiprocessing
a29, b29 = multiprocessing.Pipe()
# then
a29.send([1]); assert b29.recv() == [1]
# %% wait for one of two connections
import multiprocessing, multiprocessing.connection
a30, b30 = multiprocessing.Pipe(); c30, d30 = multiprocessing.Pipe(); d30.send(1)
# then
assert multiprocessing.connection.wait([a30, c30], 0) == [c30]
# %% a named pipe held open
import os, tempfile
f31 = os.path.join(tempfile.mkdtemp(), "fifo"); os.mkfifo(f31); o31 = os.open(f31, os.O_RDWR | os.O_NONBLOCK); os.write(o31, b"5")
# then
assert int(os.read(o31, 10)) == 5
# %% a named pipe opened again
import os, tempfile
f32 = os.path.join(tempfile.mkdtemp(), "fifo"); os.mkfifo(f32); o32 = os.open(f32, os.O_RDWR | os.O_NONBLOCK); os.write(o32, b"5")
# then
i32 = os.open(f32, os.O_RDONLY | os.O_NONBLOCK); assert os.read(i32, 10) == b"5"
# %% a Unix socket server in a thread
import os, socket, tempfile, threading
p33 = os.path.join(tempfile.mkdtemp(), "s"); l33 = socket.socket(socket.AF_UNIX); l33.bind(p33); l33.listen()
threading.Thread(target=lambda: l33.accept()[0].sendall(b"hi"), daemon=True).start()
# then
c33 = socket.socket(socket.AF_UNIX); c33.connect(p33); assert c33.recv(2) == b"hi"
# %% a Unix socket server and client in one cell
import os, socket, tempfile
# then
p34 = os.path.join(tempfile.mkdtemp(), "s"); l34 = socket.socket(socket.AF_UNIX); l34.bind(p34); l34.listen()
c34 = socket.socket(socket.AF_UNIX); c34.connect(p34); d34, _ = l34.accept(); d34.sendall(b"x"); assert c34.recv(1) == b"x"
# %% a pipe made and used in one cell
import os
# then
r35, w35 = os.pipe(); os.write(w35, b"abc"); assert os.read(r35, 3) == b"abc"
# %% a socket pair made and used in one cell
import socket
# then
a36, b36 = socket.socketpair(); a36.send(b"abc"); assert b36.recv(3) == b"abc"
# %% a file left open
import tempfile
f37 = tempfile.TemporaryFile("w+"); f37.write("abc"); f37.flush(); f37.seek(0)
# then
assert f37.read() == "abc"
# %% what is not in a pipe
import os
r38, w38 = os.pipe(); os.write(w38, b"4")
# then
assert int(os.read(r38, 10)) == 5
# %% a connection that holds another thing
import multiprocessing
a39, b39 = multiprocessing.Pipe(); b39.send("text")
# then
a39.recv()["epoch"]
# %% a blocked pipe that is set to go on
import os
r40, w40 = os.pipe(); os.set_blocking(r40, False)
# then
try: os.read(r40, 1)
except BlockingIOError: got40 = None
assert got40 is None
# %% a fifo between two threads of the cell
import os, tempfile, threading
f140 = os.path.join(tempfile.mkdtemp(), "f"); os.mkfifo(f140)
# then
threading.Thread(target=lambda: open(f140, "w").write("hi")).start(); assert open(f140).read() == "hi"
# %% an http server in the cell
import http.server, threading, urllib.request
# then
s141 = http.server.HTTPServer(("127.0.0.1", 0), http.server.SimpleHTTPRequestHandler); threading.Thread(target=s141.handle_request).start()
assert urllib.request.urlopen("http://127.0.0.1:%d/" % s141.server_port).status == 200
# %% a terminal in the cell
import os, pty
# then
m142, s142 = pty.openpty(); os.write(s142, b"x"); assert os.read(m142, 1) == b"x"
# %% a stream of asyncio over a pair
import asyncio, socket
# then
a143, b143 = socket.socketpair(); r143, w143 = await asyncio.open_connection(sock=a143); b143.send(b"hello\n"); assert await r143.readline() == b"hello\n"
# %% whether the output is a terminal
import sys
tty144 = sys.stdout.isatty()
# then
assert sys.stdout.isatty() == tty144
# %% the number of a standard stream
import sys
# then
print("x", file=sys.stderr); sys.stdout.flush()
# %% a descriptor that is closed
import os
r146, w146 = os.pipe(); os.close(r146); os.close(w146)
# then
try: os.read(r146, 1); ok146 = False
except OSError: ok146 = True
assert ok146
# %% a saved pickle over a pipe
import os, pickle
r147, w147 = os.pipe(); os.write(w147, pickle.dumps({"a": 1}))
# then
assert pickle.loads(os.read(r147, 1000))["a"] == 1
# %% an unused pipe beside a real mistake
import os
r148, w148 = os.pipe()
# then
{"a": 1}["b"]
# %% a mistake after reading from a pipe
import os
r149, w149 = os.pipe(); os.write(w149, b"4")
# then
n149 = os.read(r149, 1); undefined149
# %% whether a pipe blocks
import os
r4, w4 = os.pipe(); os.set_blocking(r4, False)
# then
assert not os.get_blocking(r4)
try:
    os.read(r4, 1); raise AssertionError
except BlockingIOError: pass
