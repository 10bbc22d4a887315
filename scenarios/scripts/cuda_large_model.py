"""Models whose weights fit the card while the optimizer's state, or the gradients, do not."""

import argparse

import torch
from torch import nn

from kit import logs, models, optimizers

parser = argparse.ArgumentParser()
parser.add_argument("--architecture", default="decoder", choices=("decoder", "mlp", "lstm"))
parser.add_argument("--optimizer", default="adam")
parser.add_argument("--format", default="plain")
parser.add_argument("--states", type=float, default=3.0, help="copies of the weights that fit beside the activations")
parser.add_argument("--accumulate", type=int, default=1)
parser.add_argument("--seed", type=int, default=0)
options = parser.parse_args()

torch.manual_seed(options.seed)
device = torch.device("cuda")
lr = 1e-4
model = {
    "decoder": lambda: models.Decoder(2000, width=1024, heads=8, layers=6, context=64),
    "mlp": lambda: models.mlp(512, 512, width=5000, layers=4),
    "lstm": lambda: models.Recurrent("lstm", 2000, width=2048, layers=3),
}[options.architecture]()
weights = sum(parameter.numel() * parameter.element_size() for parameter in model.parameters())
total = torch.cuda.get_device_properties(0).total_memory
torch.cuda.set_per_process_memory_fraction((options.states * weights + 2**28) / total)
model = model.to(device)
print(f"{weights / 4 / 1e6:.1f} M parameters, {weights / 2**30:.2f} GiB in float32")
optimizer = optimizers.make(options.optimizer, model.parameters(), lr)
log = logs.open_log(
    options.format,
    {"architecture": options.architecture, "optimizer": options.optimizer, "learning_rate": lr, "gradient_accumulation": options.accumulate},
)
for step in range(30):
    if options.architecture == "mlp":
        x = torch.randn(4, 512, device=device)
        loss = (model(x) - x).pow(2).mean()
    else:
        ids = torch.randint(0, 2000, (2, 33), device=device)
        logits = model(ids[:, :-1])
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten())
    loss.backward()
    log.train(step, loss=loss.item(), lr=lr, memory_gb=torch.cuda.memory_allocated() / 2**30)
    if (step + 1) % options.accumulate == 0:
        optimizer.step()
        optimizer.zero_grad()
log.close()
print("done")
