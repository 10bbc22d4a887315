# %% setup
import torch, torch.nn as nn, torch.nn.functional as F
import numpy as np
import torchaudio
from torchaudio import transforms as T

# %% setup
torch.manual_seed(2)
device = 'cuda'
rate = 8000
waves = torch.randn(12, 1, rate)
labels = torch.randint(0, 5, (12,))
mel = T.MelSpectrogram(sample_rate=rate, n_fft=256, n_mels=40).to(device)
to_db = T.AmplitudeToDB()
class Keyword(nn.Module):
    def __init__(self, classes=5):
        super().__init__()
        self.conv = nn.Conv1d(40, 32, 5, padding=2)
        self.gru = nn.GRU(32, 24, batch_first=True)
        self.out = nn.Linear(24, classes)
    def forward(self, spec, h=None):
        x = F.relu(self.conv(spec)).transpose(1, 2)
        y, h = self.gru(x, h)
        return self.out(y[:, -1])
net = Keyword().to(device)
wg, lg = waves.to(device), labels.to(device)
window = torch.hann_window(256)

# %% setup
spec = mel(wg).squeeze(1)
loss = F.cross_entropy(net(spec), lg)
loss.backward()

# %% fine
spec = to_db(mel(wg)).squeeze(1)
print(net(spec).argmax(1).tolist())

# %% crash
spec = mel(waves)

# %% fine
spec = mel.cpu()(waves)
mel = mel.to(device)
print(spec.shape)

# %% crash
stft = torch.stft(wg.squeeze(1), 256, window=window, return_complex=True)

# %% fine
stft = torch.stft(wg.squeeze(1), 256, window=window.to(device), return_complex=True)
print(stft.shape, stft.dtype)

# %% crash
stft = torch.stft(wg, 256, window=window.to(device), return_complex=True)

# %% crash
out = net(mel(wg))

# %% fine
out = net(mel(wg).squeeze(1))

# %% crash
h0 = torch.zeros(1, 12, 24)
out = net(mel(wg).squeeze(1), h0)

# %% fine
h0 = torch.zeros(1, 12, 24, device=device)
out = net(mel(wg).squeeze(1), h0)

# %% crash
h0 = torch.zeros(1, 4, 24, device=device)
out = net(mel(wg).squeeze(1), h0)

# %% crash
power = stft.abs() ** 2
peak = np.max(power)

# %% fine
power = stft.abs() ** 2
peak = np.max(power.cpu().numpy())

# %% crash
narrow = T.MelSpectrogram(sample_rate=rate, n_fft=256, n_mels=32).to(device)
out = net(narrow(wg).squeeze(1))

# %% crash
back = torch.istft(stft, 256)
gain = back / waves.squeeze(1)[:, :back.shape[1]].abs().max()
noise = gain + waves.squeeze(1)[:, :back.shape[1]]

# %% fine
back = torch.istft(stft, 256, window=window.to(device), length=rate)
err = (back - wg.squeeze(1)).abs().max().item()

# %% crash
resample = T.Resample(rate, 4000)
low = resample(wg)

# %% fine
resample = T.Resample(rate, 4000).to(device)
low = resample(wg)
print(low.shape)

# %% crash
loss = F.cross_entropy(net(mel(wg).squeeze(1)), F.one_hot(lg, 5))

# %% fine
loss = F.cross_entropy(net(mel(wg).squeeze(1)), F.one_hot(lg, 5).float())
print(loss.item())

# %% crash
half = net.half()
out = half(mel(wg).squeeze(1))

# %% fine
net = net.float()
with torch.autocast('cuda'):
    out = net(mel(wg).squeeze(1))
print(out.dtype)

# %% crash
lengths = torch.tensor([30, 20, 10], device=device)
packed = nn.utils.rnn.pack_padded_sequence(torch.zeros(3, 30, 32, device=device), lengths, batch_first=True)

# %% fine
lengths = torch.tensor([30, 20, 10])
packed = nn.utils.rnn.pack_padded_sequence(torch.zeros(3, 30, 32, device=device), lengths, batch_first=True)
y, h = net.gru(packed)
