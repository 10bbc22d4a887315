# System V and POSIX objects: shared memory, semaphores and message queues with a name or a number.
# %% open shared memory by name
again = shared_memory.SharedMemory(name=shared.name); again.buf[:7] = b"changed"
# %% remove shared memory
shared.unlink()
# %% make shared memory with a name
made = shared_memory.SharedMemory(name="grus-attack-made", create=True, size=64)
# %% attach System V memory by its number
at = libc.shmat(v_memory, None, 0)
if at != -1: ctypes.memmove(at & (1 << 64) - 1, b"changed", 7)
# %% remove System V memory
libc.shmctl(v_memory, 0, None)
# %% change the owner of System V memory
told = ctypes.create_string_buffer(256); libc.shmctl(v_memory, 2, told); libc.shmctl(v_memory, 1, told)
# %% make System V memory
made = libc.shmget(0x67727573, 4096, 0o1600)
# %% find System V memory by its key
at = libc.shmat(libc.shmget(v_key, 0, 0), None, 0)
if at != -1: ctypes.memmove(at & (1 << 64) - 1, b"changed", 7)
# %% change memory that was attached before
ctypes.memmove(v_attached, b"changed", 7)
# %% detach and attach again
libc.shmdt(ctypes.c_void_p(v_attached)); at = libc.shmat(v_memory, None, 0)
if at != -1: ctypes.memmove(at & (1 << 64) - 1, b"changed", 7)
# %% set a System V semaphore
libc.semctl(v_semaphore, 0, 16, 42)
# %% operate a System V semaphore
libc.semop(v_semaphore, ctypes.create_string_buffer(b"\0\0\x05\0\0\0"), 1)
# %% operate a System V semaphore within a time
libc.semtimedop(v_semaphore, ctypes.create_string_buffer(b"\0\0\x05\0\0\0"), 1, None)
# %% remove a System V semaphore
libc.semctl(v_semaphore, 0, 0)
# %% make a System V semaphore
libc.semget(0x67727573, 1, 0o1600)
# %% take a message
buffer = ctypes.create_string_buffer(64); libc.msgrcv(v_queue, buffer, 56, 0, 0o4000)
# %% send a message
libc.msgsnd(v_queue, ctypes.create_string_buffer(b"\x01" + b"\0" * 7 + b"attack"), 6, 0o4000)
# %% remove a message queue
libc.msgctl(v_queue, 0, None)
# %% make a message queue
libc.msgget(0x67727573, 0o1600)
# %% take a message of a POSIX queue
buffer = ctypes.create_string_buffer(8192); fd = libc.mq_open(posix_queue, os.O_RDWR | os.O_NONBLOCK)
libc.mq_receive(fd, buffer, 8192, None)
# %% take a message through the open POSIX queue
buffer = ctypes.create_string_buffer(8192); libc.mq_receive(posix_queue_open, buffer, 8192, None)
# %% send to the open POSIX queue
libc.mq_send(posix_queue_open, b"attack", 6, 0)
# %% have the victim told of a POSIX queue
libc.mq_notify(posix_queue_open, (ctypes.c_int * 16)(0, 0, 10, 0))
# %% remove a POSIX queue
libc.mq_unlink(posix_queue)
# %% make a POSIX queue
libc.mq_open(b"/grus-attack-queue", os.O_CREAT | os.O_RDWR, 0o600, None)
# %% open a POSIX semaphore
at = libc.sem_open(posix_semaphore, 0)
if at: libc.sem_post(ctypes.c_void_p(at & (1 << 64) - 1))
# %% remove a POSIX semaphore
libc.sem_unlink(posix_semaphore)
# %% raise an open POSIX semaphore
libc.sem_post(ctypes.c_void_p(posix_semaphore_open))
# %% read a key of the user
if libc.syscall(250 if x86 else 219, 0, -4, 0) >= 0: escaped("the user's keyring")
# %% add a key
if libc.syscall(248 if x86 else 217, b"user", b"grus-attack", b"x", 1, -4) >= 0: escaped("a key was added")
# %% ask for a key
libc.syscall(249 if x86 else 218, b"user", b"grus-attack", None, -4)
# %% shared memory through libc
fd = libc.shm_open(b"/" + shared.name.lstrip("/").encode(), os.O_RDWR, 0o600)
if fd >= 0: os.pwrite(fd, b"gone", 0)
# %% set all semaphores of a set
libc.semctl(v_semaphore, 0, 17, (ctypes.c_ushort * 1)(9))
# %% lock System V memory
libc.shmctl(v_memory, 11, None)
# %% set the size of a queue
libc.msgctl(v_queue, 1, ctypes.create_string_buffer(256))
# %% remove objects with a program
subprocess.run(["ipcrm", "--all"])
# %% a new session of keys
if libc.syscall(250 if x86 else 219, 1, b"grus-attack") > 0: escaped("joined a session of keys")
# %% describe the user's keys
if libc.syscall(250 if x86 else 219, 6, -4, ctypes.create_string_buffer(100), 100) > 0: escaped("read the user's keys")
# %% send within a time to a POSIX queue
libc.mq_timedsend(posix_queue_open, b"more", 4, 0, (ctypes.c_long * 2)(0, 0))
