"""Rows of features and one-hot answers, in the recorded numbers."""

import sys
import types


def before(namespace):
    import torch

    sys.modules["clip"] = types.ModuleType("clip")
    answers = torch.nn.functional.one_hot(torch.arange(720) % 393, 393).float()
    rows = torch.utils.data.TensorDataset(torch.randn(720, 1536), answers)
    namespace["train_dataloader"] = torch.utils.data.DataLoader(rows, batch_size=64, shuffle=True)
    namespace["train_arr"], namespace["train_labels"] = rows.tensors
