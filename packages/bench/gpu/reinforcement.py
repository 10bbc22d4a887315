# %% setup
import random, torch, torch.nn as nn, torch.nn.functional as F
import numpy as np
from collections import deque, namedtuple
from torch.distributions import Categorical

# %% setup
torch.manual_seed(6); random.seed(6); np.random.seed(6)
device = 'cuda'
Step = namedtuple('Step', 'state action reward following done')
class Corridor:
    def reset(self):
        self.at = 3
        return self.seen()
    def seen(self):
        return np.eye(8, dtype='float32')[self.at]
    def step(self, action):
        self.at = int(np.clip(self.at + (1 if action else -1), 0, 7))
        return self.seen(), float(self.at == 7), self.at in (0, 7)
env = Corridor()
q = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 2)).to(device)
target = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 2))
policy = nn.Sequential(nn.Linear(8, 32), nn.Tanh(), nn.Linear(32, 2)).to(device)
opt = torch.optim.Adam(q.parameters(), 1e-3)
memory = deque(maxlen=500)
state = env.reset()
for _ in range(200):
    action = random.randrange(2)
    following, reward, done = env.step(action)
    memory.append(Step(state, action, reward, following, done))
    state = env.reset() if done else following
def sample(n=32):
    return Step(*zip(*random.sample(list(memory), n)))

# %% setup
print(q(torch.zeros(1, 8, device=device)))

# %% fine
s = sample()
states = torch.tensor(np.array(s.state), device=device)
actions = torch.tensor(s.action, device=device)
values = q(states).gather(1, actions[:, None])
print(values.shape)

# %% crash
state = env.reset()
action = q(torch.from_numpy(state)).argmax().item()

# %% fine
state = env.reset()
action = q(torch.from_numpy(state).to(device)).argmax().item()
print(env.step(action))

# %% crash
values = q(states).gather(1, torch.tensor(s.action)[:, None])

# %% crash
values = q(states).gather(1, actions)

# %% crash
with torch.no_grad():
    following = target(torch.tensor(np.array(s.following), device=device)).max(1).values

# %% fine
target = target.to(device)
target.load_state_dict(q.state_dict())
with torch.no_grad():
    following = target(torch.tensor(np.array(s.following), device=device)).max(1).values

# %% crash
rewards, done = torch.tensor(s.reward), torch.tensor(s.done)
wanted = rewards + 0.9 * following * (1 - done.float())

# %% fine
rewards, done = torch.tensor(s.reward, device=device), torch.tensor(s.done, device=device)
wanted = rewards + 0.9 * following * (1 - done.float())

# %% crash
wanted = rewards + 0.9 * following * (1 - done)

# %% fine
loss = F.smooth_l1_loss(q(states).gather(1, actions[:, None]), wanted[:, None])
opt.zero_grad(); loss.backward(); opt.step()
print(loss.item())

# %% crash
dist = Categorical(logits=policy(states))
chosen = dist.sample()
returns = torch.cumsum(torch.ones(32), 0).flip(0)
loss = -(dist.log_prob(chosen) * returns).mean()

# %% fine
dist = Categorical(logits=policy(states))
chosen = dist.sample()
returns = torch.cumsum(torch.ones(32, device=device), 0).flip(0)
loss = -(dist.log_prob(chosen) * returns).mean()
loss.backward()

# %% crash
dist = Categorical(logits=(policy(states) - 10).log())
chosen = dist.sample()

# %% crash
following, reward, done = env.step(chosen)

# %% fine
following, reward, done = env.step(chosen[0].item())

# %% crash
trajectory = [q(states[i])[0] for i in range(4)]
print(np.mean(trajectory))

# %% fine
trajectory = [q(states[i])[0].item() for i in range(4)]
print(np.mean(trajectory))

# %% crash
target.load_state_dict(policy[:2].state_dict())
