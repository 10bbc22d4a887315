"""One rank of a small data-parallel job over Gloo. GRUS_FAULT says what goes wrong, GRUS_RANK where; without a fault it ends well.
The last faults of the list are none: they look like one, and the job goes on.

Every step reduces three gradients of different shapes over all ranks and one number over a pair of neighbours, as real jobs mix groups.
When a rank ends, however it ends, it leaves what its flight recorder kept, unless GRUS_NO_DUMP names it.
"""

import datetime
import faulthandler
import os
import pathlib
import queue
import signal
import sys
import threading
import time

import torch
import torch._C._distributed_c10d as recorder
import torch.distributed as dist

FAULT = os.environ.get("GRUS_FAULT", "none")
GUILTY = int(os.environ.get("GRUS_RANK", "-1"))
OUT = pathlib.Path(os.environ["GRUS_OUT"])
STEPS, BAD_STEP = 12, 8


def dump(rank):
    if os.environ.get("GRUS_NO_DUMP") != str(rank):
        (OUT / ("comm_lib_trace_rank_%d" % rank)).write_bytes(recorder._dump_fr_trace())


def shapes():
    return [(16, 8), (8,), (4, 4, 2)]


class Shard(torch.utils.data.Dataset):
    """A data set whose storage stops to answer on one rank."""

    def __init__(self, stops):
        self.stops = stops

    def __len__(self):
        return STEPS + 1

    def __getitem__(self, index):
        if self.stops and index == BAD_STEP:
            queue.Queue().get()
        return torch.ones(4)


def before(number, rank):
    """What this rank alone does before a step."""
    if FAULT == "slow-compute":
        time.sleep(0.3)
    if number == 1 and FAULT == "slow-first-step":
        time.sleep(2)
    if number != BAD_STEP:
        return
    if FAULT == "exception":
        labels = torch.tensor([0, 1, 12])
        torch.nn.functional.cross_entropy(torch.zeros(3, 10), labels)
    if FAULT == "out-of-memory":
        torch.empty(1 << 46)
    if FAULT == "disk-full":
        with open("/dev/full", "wb", buffering=0) as checkpoint:
            checkpoint.write(b"0" * 4096)
    if FAULT == "stall":
        time.sleep(600)
    if FAULT == "deadlock":
        lock = threading.Lock()
        lock.acquire()
        lock.acquire()
    if FAULT == "evaluation":
        print("evaluating 4000 examples", flush=True)
        time.sleep(600)
    if FAULT == "checkpoint":
        print("saving checkpoint to checkpoints/step_%d" % number, flush=True)
        time.sleep(600)
    if FAULT == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    if FAULT == "segfault":
        os.kill(os.getpid(), signal.SIGSEGV)
    if FAULT == "pause":
        print("evaluating 40 examples", flush=True)
        time.sleep(2)
    if FAULT == "retry":
        try:
            raise ConnectionResetError(104, "Connection reset by peer")
        except OSError as error:
            print("WARNING reading shard 3 failed (%s), reading it again" % error, flush=True)
    if FAULT == "restart" and os.environ.get("TORCHELASTIC_RESTART_COUNT") == "0":
        raise OSError(5, "Input/output error", "shard-3.bin")


def step(number, rank, pair, shard, state):
    guilty = rank == GUILTY and number == BAD_STEP
    started = time.monotonic()
    if rank == GUILTY and FAULT == "slow-loader":
        time.sleep(0.3)
    next(shard)
    loaded = time.monotonic() - started
    if rank == GUILTY:
        before(number, rank)
    if guilty and FAULT == "early-end":
        return False
    computed = time.monotonic() - started - loaded
    for index, shape in enumerate(shapes()):
        gradient = torch.ones(shape)
        if guilty and index == 1:
            if FAULT == "skip":
                continue
            if FAULT == "operation":
                dist.broadcast(gradient, 0)
                continue
            if FAULT == "shape":
                gradient = torch.ones(9)
            if FAULT == "type":
                gradient = gradient.double()
        dist.all_reduce(gradient)
    if guilty and FAULT == "alone":
        dist.barrier()
    dist.all_reduce(torch.ones(1), group=pair)
    state *= 0.99 if not (guilty and FAULT == "drift") else 1.07
    times = (loaded, computed, time.monotonic() - started - loaded - computed)
    print(
        "step %d loss %.4f weight_norm %.5f data_time %.3f compute_time %.3f sync_time %.3f"
        % (number, 2.0 / (number + 1), state.norm(), *times),
        flush=True,
    )
    return True


def main():
    if FAULT == "interface" and int(os.environ["RANK"]) == GUILTY:
        os.environ["GLOO_SOCKET_IFNAME"] = "eth9"
    faulthandler.dump_traceback_later(4, exit=False)
    dist.init_process_group("gloo", timeout=datetime.timedelta(seconds=float(os.environ.get("GRUS_TIMEOUT", "6"))))
    rank, world = dist.get_rank(), dist.get_world_size()
    signal.signal(signal.SIGTERM, lambda *_: (dump(rank), os._exit(143)))
    pairs = [dist.new_group([first, first + 1]) for first in range(0, world - 1, 2)]
    pair = pairs[min(rank // 2, len(pairs) - 1)]
    steps = STEPS - 3 if FAULT == "uneven" and rank == GUILTY else STEPS
    shard = iter(torch.utils.data.DataLoader(Shard(FAULT == "loader" and rank == GUILTY)))
    state = torch.ones(64)
    try:
        print("%d batches per epoch" % steps, flush=True)
        for number in range(1, steps + 1):
            if not step(number, rank, pair, shard, state):
                break
        dist.barrier()
        if FAULT == "early-end" and rank == GUILTY:
            time.sleep(12)
    finally:
        dump(rank)
    print("Training finished.", flush=True)


if __name__ == "__main__":
    sys.exit(main())
