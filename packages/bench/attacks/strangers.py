# Servers of others on this machine, which nothing in a copy may reach. Prints their ports, then a line for each contact.
import json, os, selectors, socket, sys

ground, elsewhere, abstract = sys.argv[1:]
chosen, ports = selectors.DefaultSelector(), {}


def listen(name, family, kind, address):
    made = socket.socket(family, kind)
    made.bind(address)
    if kind == socket.SOCK_STREAM:
        made.listen()
    if family == socket.AF_UNIX and address[0] != "\0":
        os.chmod(address, 0o777)
    elif family != socket.AF_UNIX:
        ports[name] = made.getsockname()[1]
    chosen.register(made, selectors.EVENT_READ, name)


os.makedirs(os.path.join(ground, "bus"))
listen("port", socket.AF_INET, socket.SOCK_STREAM, ("0.0.0.0", 0))
listen("datagramPort", socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0))
listen("socket", socket.AF_UNIX, socket.SOCK_STREAM, os.path.join(ground, "socket"))
listen("elsewhere", socket.AF_UNIX, socket.SOCK_STREAM, os.path.join(elsewhere, "socket"))
listen("bus", socket.AF_UNIX, socket.SOCK_STREAM, os.path.join(ground, "bus", "session"))
listen("datagrams", socket.AF_UNIX, socket.SOCK_DGRAM, os.path.join(ground, "datagrams"))
listen("abstract", socket.AF_UNIX, socket.SOCK_STREAM, "\0" + abstract)
print(json.dumps(ports), flush=True)
while True:
    for key, _ in chosen.select():
        if key.fileobj.type == socket.SOCK_STREAM:
            key.fileobj.accept()[0].close()
        else:
            key.fileobj.recv(100)
        print("reached " + key.data, flush=True)
