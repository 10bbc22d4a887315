# A teacher is trained, then a student from its answers.
# short: EPOCHS = 2
# %%
import torch
from torch import nn

EPOCHS = 4000
x, y = torch.randn(6400, 40), torch.randint(0, 5, (6400,))
teacher = nn.Sequential(nn.Linear(40, 256), nn.ReLU(), nn.Linear(256, 5))
student = nn.Linear(40, 5)

def fit(model, target, loss_of):
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(EPOCHS):
        for start in range(0, len(x), 64):
            part = slice(start, start + 64)
            optimizer.zero_grad()
            loss = loss_of(model(x[part]), target[part])
            loss.backward()
            optimizer.step()
    return loss.item()
# %% train
first = fit(teacher, y, nn.functional.cross_entropy)
# %%
with torch.no_grad():
    soft = teacher(x).softmax(dim=1)
second = fit(student, soft, lambda out, target: nn.functional.kl_div(out.log_softmax(dim=1), target, reduction="batchmean"))
# %%
agreement = (student(x).argmax(dim=1) == teacher(x).argmax(dim=1)).float().mean()
print(f"{first:.3f} {second:.3f} {agreement.item():.2f}")
