# Connections: the network, and sockets of this machine by path, by name, by descriptor.
# %% connect to a server
socket.create_connection(("127.0.0.1", port), timeout=1)
# %% connect over IPv6
socket.create_connection(("::1", port), timeout=1)
# %% connect to any address
socket.create_connection(("0.0.0.0", port), timeout=1)
# %% connect without waiting
s = socket.socket(); s.setblocking(False); s.connect_ex(("127.0.0.1", port)); time.sleep(0.1)
# %% open fast
s = socket.socket(); s.sendto(b"x", 0x20000000, ("127.0.0.1", port))
# %% send a datagram
socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", datagram_port))
# %% send a datagram by message
socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendmsg([b"x"], [], 0, ("127.0.0.1", datagram_port))
# %% resolve a name
socket.getaddrinfo("localhost.invalid", 80)
# %% connect through libc
fd = libc.socket(2, 1, 0)
address = (ctypes.c_ubyte * 16)(2, 0, port >> 8, port & 255, 127, 0, 0, 1)
if libc.connect(fd, address, 16) == 0: escaped("connected")
# %% fetch over HTTP
import urllib.request; urllib.request.urlopen("http://127.0.0.1:%d/" % port, timeout=1).read()
# %% connect asynchronously
import asyncio; await asyncio.wait_for(asyncio.open_connection("127.0.0.1", port), 1)
# %% connect from a program
subprocess.run([sys.executable, "-c", "import socket; socket.create_connection(('127.0.0.1', %d), 1)" % port], timeout=2)
# %% listen as a server
s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen(); s.close()
# %% a raw socket
s = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP); s.sendto(b"x", ("127.0.0.1", 0))
# %% a packet socket
s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW); escaped("a packet socket") if s.getsockname()[0] not in ("", "lo") else None
# %% a socket of the hypervisor
s = socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM); s.settimeout(0.2); escaped("vsock")
# %% a bluetooth socket
socket.socket(31, socket.SOCK_STREAM, 3); escaped("bluetooth")
# %% a crypto socket
s = socket.socket(38, socket.SOCK_SEQPACKET); escaped("AF_ALG")
# %% a netlink socket that hears the kernel's events
s = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 15); s.bind((0, 1)); escaped("kobject events")
# %% a netlink socket of the audit system
s = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 9); escaped("audit netlink")
# %% connect to a socket file
s = socket.socket(socket.AF_UNIX); s.connect(socket_path); s.send(b"x")
# %% connect to a socket file beside the work folder
s = socket.socket(socket.AF_UNIX); s.connect(os.path.join(elsewhere, "socket")); s.send(b"x")
# %% connect to a socket file in the work folder
s = socket.socket(socket.AF_UNIX); s.connect("socket"); s.send(b"x")
# %% connect to a socket file on another mount
s = socket.socket(socket.AF_UNIX); s.connect(os.path.join(ground, "mounted", "socket")); s.send(b"x")
# %% connect to a socket file through a link
os.symlink(socket_path, "s"); s = socket.socket(socket.AF_UNIX); s.connect("s"); s.send(b"x")
# %% connect to a socket file through /proc
s = socket.socket(socket.AF_UNIX); s.connect("/proc/%d/root%s" % (kernel_pid, socket_path)); s.send(b"x")
# %% connect to a socket file through a descriptor of its folder
fd = os.open(ground, os.O_PATH); s = socket.socket(socket.AF_UNIX); s.connect("/proc/self/fd/%d/socket" % fd); s.send(b"x")
# %% connect to a socket file from native code
fd = libc.socket(1, 1, 0); path = socket_path.encode()
if libc.connect(fd, ctypes.create_string_buffer(b"\x01\0" + path + b"\0", 3 + len(path)), 3 + len(path)) == 0: escaped("connected")
# %% connect to a socket file from a program
subprocess.run([sys.executable, "-c", "import socket, sys; socket.socket(1).connect(sys.argv[1])", socket_path], timeout=2)
# %% send a datagram to a socket file
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM); s.sendto(b"x", os.path.join(ground, "datagrams"))
# %% send a datagram out of a pair
a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM); a.sendto(b"x", os.path.join(ground, "datagrams"))
# %% reconnect one end of a pair
a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM); a.connect(os.path.join(ground, "datagrams")); a.send(b"x")
# %% send a message out of a pair
a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM); a.sendmsg([b"x"], [], 0, os.path.join(ground, "datagrams"))
# %% connect a stream pair anew
a, b = socket.socketpair(); a.connect(socket_path); a.send(b"x")
# %% connect to an abstract socket
s = socket.socket(socket.AF_UNIX); s.connect("\0" + abstract_name); s.send(b"x")
# %% take the place of an abstract socket
s = socket.socket(socket.AF_UNIX); s.bind("\0grus-attack-bound"); s.listen(); os.system("true")
# %% put a socket file there
s = socket.socket(socket.AF_UNIX); s.bind("planted.sock"); s.listen()
# %% remove a socket file
os.remove(os.path.join(elsewhere, "socket"))
# %% ask the desktop's bus
s = socket.socket(socket.AF_UNIX); s.connect(os.path.join(ground, "bus", "session")); s.send(b"\0AUTH EXTERNAL\r\n")
# %% use the connections of the kernel
for reader in list(get_ipython().kernel.shell_streams): reader.socket.send(b"x")
# %% use the heartbeat of the kernel
get_ipython().kernel.parent.heartbeat.socket.send(b"x")
# %% a new connection to the kernel's own ports
import json
told = json.load(open(get_ipython().config["IPKernelApp"]["connection_file"]))
s = socket.create_connection((told["ip"], told["control_port"]), timeout=0.5); escaped("the control port")
# %% watch all mounts
import fcntl; fd = libc.syscall(300 if x86 else 262, 0, 0)
if fd >= 0: escaped("fanotify")
# %% connect to a socket file with packets
s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET); s.connect(socket_path)
# %% connect to a socket file asynchronously
import asyncio; await asyncio.open_unix_connection(socket_path)
# %% a client of multiprocessing
from multiprocessing.connection import Client; Client(socket_path, family="AF_UNIX")
# %% a socket file over a long way
os.chdir(ground); socket.socket(socket.AF_UNIX).connect("bus/../bus/session")
# %% a message queue over a socket file
import zmq; s = zmq.Context().socket(zmq.DEALER); s.connect("ipc://" + socket_path); s.send(b"x", zmq.NOBLOCK); time.sleep(0.3)
# %% the log of the system
import syslog; syslog.syslog("from a copy")
# %% a datagram to an abstract name
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM); s.sendto(b"x", "\0" + abstract_name)
# %% connect over several paths
s = socket.socket(socket.AF_INET, socket.SOCK_STREAM, 262); s.settimeout(0.5); s.connect(("127.0.0.1", port))
# %% an address of version 4 in version 6
s = socket.socket(socket.AF_INET6); s.settimeout(0.5); s.connect(("::ffff:127.0.0.1", port))
# %% ping
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM, socket.IPPROTO_ICMP); s.sendto(b"\x08\0\0\0\0\0\0\0", ("127.0.0.1", 0))
# %% every other family
made = []
for family in (3, 4, 5, 9, 15, 17, 21, 26, 29, 30, 31, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45):
    for kind in (1, 2, 3, 5):
        fd = libc.socket(family, kind, 0)
        if fd >= 0: made.append((family, kind))
if made: escaped("families %s" % made)
# %% reach out by a broadcast
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1); s.sendto(b"x", ("127.255.255.255", datagram_port))
# %% send through many messages at once
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.connect(("127.0.0.1", datagram_port)); [s.send(b"x") for _ in range(5)]
# %% send a page through a library
import requests; requests.get("http://127.0.0.1:%d/" % port, timeout=0.5)
# %% an open listener over its number
s = socket.socket(fileno=listener.fileno()); s.setblocking(False); c = socket.create_connection(listener.getsockname(), 0.5)
if c.getpeername(): escaped("reached the kernel's listener")
