# A forecast of one column is scaled back with the scaler of three.
# short: EPOCHS = 2
# raises: ValueError
# %%
import numpy as np
import torch
from sklearn.preprocessing import MinMaxScaler
from torch import nn

EPOCHS = 52_500
days = np.arange(3000)
table = np.c_[np.sin(days / 7), np.cos(days / 30), days / 3000]
scaler = MinMaxScaler()
scaled = scaler.fit_transform(table).astype("float32")
windows = torch.tensor(np.stack([scaled[i : i + 30] for i in range(2900)]))
following = torch.tensor(scaled[30:2930, :1])
# %%
class Forecaster(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(3, 32, batch_first=True)
        self.out = nn.Linear(32, 1)

    def forward(self, x):
        return self.out(self.lstm(x)[0][:, -1])

forecaster = Forecaster()
optimizer = torch.optim.Adam(forecaster.parameters())
# %% train
for epoch in range(EPOCHS):
    permutation = torch.randperm(len(windows))
    for i in range(0, len(windows), 64):
        index = permutation[i : i + 64]
        loss = nn.functional.mse_loss(forecaster(windows[index]), following[index])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
# %% crash
with torch.no_grad():
    forecast = forecaster(windows[-100:]).numpy()
print(scaler.inverse_transform(forecast)[:3])
# %% instead
with torch.no_grad():
    forecast = forecaster(windows[-100:]).numpy()
print(scaler.inverse_transform(np.repeat(forecast, 3, axis=1))[:3, 0])
