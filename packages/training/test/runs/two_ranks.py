# Two gloo processes on one machine, started by torchrun. Usage: two_ranks.py OUTPUT [CASE ...]; the same file is the worker.
import os
import subprocess
import sys

cases = ("healthy", "unused_parameters", "one_rank_fails", "one_rank_leaves")


def work(case):
    from datetime import timedelta

    import torch
    import torch.distributed as dist
    from torch import nn
    from torch.nn.parallel import DistributedDataParallel

    torch.set_num_threads(1)
    torch.manual_seed(0)
    dist.init_process_group("gloo", timeout=timedelta(seconds=6))
    rank = dist.get_rank()

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.used, self.spare = nn.Linear(8, 1), nn.Linear(8, 1)

        def forward(self, x):
            return self.used(x) if case == "unused_parameters" else self.used(x) + self.spare(x)

    model = DistributedDataParallel(Net())
    opt = torch.optim.SGD(model.parameters(), lr=0.05)
    truth = torch.arange(8.0)
    for step in range(1, 61):
        x = torch.randn(16, 8)
        if rank == 1 and step == 20 and case == "one_rank_fails":
            x = torch.randn(16, 7)
        if rank == 1 and step == 20 and case == "one_rank_leaves":
            os._exit(0)
        loss = (model(x).squeeze(1) - x @ truth).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        if rank == 0 and step % 2 == 0:
            print(f"step {step}: loss={loss.item():.5f}, lr=0.05", flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    if "RANK" in os.environ:
        work(sys.argv[1])
    else:
        for case in sys.argv[2:] or cases:
            folder = os.path.join(sys.argv[1], case)
            os.makedirs(folder, exist_ok=True)
            with open(os.path.join(folder, "train.log"), "w") as log:
                subprocess.run(
                    [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2", os.path.abspath(__file__), case],
                    stdout=log, stderr=subprocess.STDOUT, timeout=120)
