"""Preparing data in one piece before training: all pairs, all one-hot rows, or every window at once."""

import numpy as np
import torch

from kit import data, logs, options, tasks

o = options.read(prepare="pairs", rows=900_000)


def pairs():
    """Distances of all rows to all others, to pick hard negatives."""
    embeddings = torch.randn(o.rows, 16)
    print(f"mining hard negatives among {o.rows:,} rows")
    return torch.cdist(embeddings, embeddings).topk(5, largest=False)


def one_hot():
    import keras

    tokens = data.token_stream(4000, 96, o.seed).numpy()
    windows = np.lib.stride_tricks.sliding_window_view(np.tile(tokens, o.rows // 4000), 64)
    print(f"{len(windows):,} windows of 64 tokens")
    return keras.utils.to_categorical(windows, 50_000)


def windows():
    stream = np.tile(data.token_stream(4000, 96, o.seed).numpy(), o.rows // 4000)
    print(f"stacking {len(stream):,} windows")
    return np.stack([stream] * 4096).astype(np.int64)


if o.framework == "pytorch":
    log = logs.open_log(o.format, options.config(o, rows=o.rows))
    task = tasks.make(o.architecture, o.seed)
    print(f"model with {sum(p.numel() for p in task.model.parameters()):,} parameters")
prepared = {"pairs": pairs, "one-hot": one_hot, "windows": windows}[o.prepare]()
