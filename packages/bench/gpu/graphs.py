# %% setup
import torch, torch.nn as nn, torch.nn.functional as F
import numpy as np
from torch_geometric.data import Data, Batch
from torch_geometric.loader import DataLoader as GraphLoader
from torch_geometric.nn import GCNConv, GATConv, global_mean_pool

# %% setup
torch.manual_seed(3)
device = torch.device('cuda')
def graph(n=10, e=30, classes=3):
    return Data(x=torch.randn(n, 6), edge_index=torch.randint(0, n, (2, e)), y=torch.randint(0, classes, (1,)))
graphs = [graph() for _ in range(24)]
loader = GraphLoader(graphs, batch_size=8)
class GNN(nn.Module):
    def __init__(self, hidden=16):
        super().__init__()
        self.a, self.b = GCNConv(6, hidden), GCNConv(hidden, hidden)
        self.out = nn.Linear(hidden, 3)
    def forward(self, x, edges, batch):
        x = F.relu(self.a(x, edges))
        x = F.relu(self.b(x, edges))
        return self.out(global_mean_pool(x, batch))
net = GNN().to(device)
opt = torch.optim.Adam(net.parameters(), 1e-2)
whole = Data(x=torch.randn(50, 6), edge_index=torch.randint(0, 50, (2, 200)), y=torch.randint(0, 3, (50,)),
             train=torch.rand(50) > 0.5)
node = nn.ModuleList([GCNConv(6, 8), GCNConv(8, 3)]).to(device)
adj = torch.zeros(50, 50)
adj[whole.edge_index[0], whole.edge_index[1]] = 1

# %% setup
b = next(iter(loader)).to(device)
F.cross_entropy(net(b.x, b.edge_index, b.batch), b.y).backward()

# %% fine
for b in loader:
    b = b.to(device)
    loss = F.cross_entropy(net(b.x, b.edge_index, b.batch), b.y)
    opt.zero_grad(); loss.backward(); opt.step()
print(loss.item())

# %% crash
for b in loader:
    loss = F.cross_entropy(net(b.x.to(device), b.edge_index.to(device), b.batch), b.y.to(device))

# %% fine
for b in loader:
    loss = F.cross_entropy(net(b.x.to(device), b.edge_index.to(device), b.batch.to(device)), b.y.to(device))

# %% crash
out = net(b.x.to(device), b.edge_index, b.batch.to(device))

# %% crash
h = node[0](whole.x.to(device), whole.edge_index.to(device))
h = node[1](h, whole.edge_index.to(device))
loss = F.cross_entropy(h[whole.train], whole.y[whole.train])

# %% fine
g = whole.to(device)
h = node[1](node[0](g.x, g.edge_index), g.edge_index)
loss = F.cross_entropy(h[g.train], g.y[g.train])
print(loss.item())

# %% crash
spread = adj @ h

# %% fine
spread = adj.to(device) @ h
print(spread.shape)

# %% crash
att = GATConv(8, 4, heads=2).to(device)
z = att(g.x, g.edge_index)

# %% fine
att = GATConv(6, 4, heads=2).to(device)
z = att(g.x, g.edge_index)
print(z.shape)

# %% crash
import networkx as nx
G = nx.Graph()
G.add_edges_from(g.edge_index.t().numpy())

# %% fine
import networkx as nx
G = nx.Graph()
G.add_edges_from(g.edge_index.t().cpu().numpy())
print(G.number_of_nodes())

# %% crash
pooled = torch.zeros(8, 6).index_add_(0, b.batch.to(device), b.x.to(device))

# %% fine
pooled = torch.zeros(8, 6, device=device).index_add_(0, b.batch.to(device), b.x.to(device))
print(pooled.sum().item())

# %% crash
degree = torch.zeros(50, device=device)
degree.scatter_add_(0, g.edge_index[0], torch.ones(g.edge_index.shape[1]))

# %% fine
degree = torch.zeros(50, device=device)
degree.scatter_add_(0, g.edge_index[0], torch.ones(g.edge_index.shape[1], device=device))
print(degree.max().item())

# %% crash
accuracy = (h.argmax(1)[g.train] == g.y).float().mean()

# %% fine
accuracy = (h.argmax(1)[g.train] == g.y[g.train]).float().mean()

# %% crash
loss = F.cross_entropy(net(b.x.to(device), b.edge_index.to(device), b.batch.to(device)), g.y)

# %% restart

# %% fine
g = whole.to(device)
print(node[0](g.x, g.edge_index).shape)

# %% crash
edges = torch.cat([g.edge_index, torch.tensor([[3], [57]], device=device)], 1)
h = node[0](g.x, edges)
print(h.sum().item())
