"""One rank of a small data-parallel job over Gloo. GRUS_FAULT says what goes wrong, GRUS_RANK where; without a fault it ends well.

Every step reduces three gradients of different shapes over all ranks and one number over a pair of neighbours, as real jobs mix groups.
When a rank ends, however it ends, it leaves what its flight recorder kept, unless GRUS_NO_DUMP names it.
"""

import datetime
import os
import pathlib
import signal
import sys
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


def step(number, rank, pair):
    guilty = rank == GUILTY and number == BAD_STEP
    if guilty and FAULT == "exception":
        labels = torch.tensor([0, 1, 12])
        torch.nn.functional.cross_entropy(torch.zeros(3, 10), labels)
    if guilty and FAULT == "stall":
        time.sleep(600)
    if guilty and FAULT == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    if guilty and FAULT == "early-end":
        return False
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
    print("step %d loss %.4f" % (number, 2.0 / (number + 1)), flush=True)
    return True


def main():
    dist.init_process_group("gloo", timeout=datetime.timedelta(seconds=float(os.environ.get("GRUS_TIMEOUT", "6"))))
    rank, world = dist.get_rank(), dist.get_world_size()
    signal.signal(signal.SIGTERM, lambda *_: (dump(rank), os._exit(143)))
    pairs = [dist.new_group([first, first + 1]) for first in range(0, world - 1, 2)]
    pair = pairs[min(rank // 2, len(pairs) - 1)]
    try:
        for number in range(1, STEPS + 1):
            if not step(number, rank, pair):
                break
        if FAULT == "early-end" and rank == GUILTY:
            time.sleep(12)
    finally:
        dump(rank)
    print("Training finished.", flush=True)


if __name__ == "__main__":
    sys.exit(main())
