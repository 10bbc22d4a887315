"""Short real runs recorded by the hooks alone. Usage: runs.py OUTPUT CASE [CASE ...]; each case in its own process."""

import importlib
import os
import signal
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "src"))
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "2"
os.environ["CUDA_VISIBLE_DEVICES"] = ""


def blobs(n=512, classes=4, width=16, spread=1.0):
    import numpy as np

    rng = np.random.default_rng(0)
    centres = 3 * rng.normal(size=(classes, width))
    y = rng.integers(0, classes, n)
    return (centres[y] + spread * rng.normal(size=(n, width))).astype("float32"), y


def loop(steps=200, rate=1e-2, at_step=None, optimizer="AdamW", poison=None, close=True):
    import torch

    import grus_hooks

    torch.set_num_threads(1)
    torch.manual_seed(0)
    x, y = (torch.from_numpy(part) for part in blobs())
    model = torch.nn.Sequential(torch.nn.Linear(16, 32), torch.nn.ReLU(), torch.nn.Linear(32, 4))
    made = getattr(torch.optim, optimizer)(model.parameters(), lr=rate)
    log = grus_hooks.watch(model, made, directory=".", config={"batch_size": 32, "steps": steps})
    for step in range(steps):
        pick = torch.randint(0, len(x), (32,))
        batch = (x[pick], y[pick])
        if poison is not None and step >= poison:
            batch[0][3, 2] = float("nan")
        loss = torch.nn.functional.cross_entropy(model(batch[0]), batch[1])
        made.zero_grad()
        loss.backward()
        made.step()
        log.step(loss, batch=batch)
        if at_step is not None:
            at_step(step)
    if close:
        log.close()


def torch_healthy():
    loop()


def torch_rate_too_high():
    loop(rate=1e8, optimizer="SGD", steps=60)


def torch_nan_in_data():
    loop(poison=60, steps=90)


def torch_raises():
    def stop(step):
        if step == 50:
            raise RuntimeError("mat1 and mat2 shapes cannot be multiplied (32x16 and 8x4)")

    loop(at_step=stop)


def torch_terminated():
    loop(at_step=lambda step: os.kill(os.getpid(), signal.SIGTERM) if step == 50 else None)


def torch_killed():
    loop(at_step=lambda step: os.kill(os.getpid(), signal.SIGKILL) if step == 50 else None)


def held_out(change=None, labels=None, steps=240):
    """A run that evaluates on rows it does not train on; `change` spoils the model or hands over other parameters, `labels` the labels."""
    import torch
    from torch.nn import functional

    import grus_hooks

    torch.set_num_threads(1)
    torch.manual_seed(0)
    x, y = (torch.from_numpy(part) for part in blobs(n=1024, spread=6.0))
    train, rest = (x[:768], y[:768] if labels is None else labels(y[:768])), (x[768:], y[768:])
    model = torch.nn.Sequential(torch.nn.Linear(16, 32), torch.nn.ReLU(), torch.nn.Linear(32, 32), torch.nn.ReLU(), torch.nn.Linear(32, 4))
    stepped = (change(model) if change else None) or model.parameters()
    optimizer = torch.optim.Adam(stepped, lr=3e-3)
    with grus_hooks.watch(model, optimizer, directory=".", config={"batch_size": 32, "steps": steps}) as log:
        for step in range(steps):
            pick = torch.randint(0, 768, (32,))
            loss = functional.cross_entropy(model(train[0][pick]), train[1][pick])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            log.step(loss, batch=(train[0][pick], train[1][pick]))
            if step % 20 == 19:
                with torch.no_grad():
                    outputs = model(rest[0])
                log.evaluation(loss=functional.cross_entropy(outputs, rest[1]), accuracy=(outputs.argmax(1) == rest[1]).float().mean())


def silent_healthy():
    held_out()


def silent_shuffled():
    held_out(labels=lambda y: y[__import__("torch").randperm(len(y))], steps=160)


def silent_one_label():
    held_out(labels=lambda y: y.new_zeros(len(y)).scatter_(0, y.new_tensor(range(0, len(y), 50)), 1))


def silent_dead():
    def kill(model):
        for layer in (model[0], model[2]):
            layer.bias.data.fill_(-100.0)

    held_out(kill)


def silent_alike():
    def level(model):
        for layer in (model[0], model[2], model[4]):
            layer.weight.data.fill_(0.02)
            layer.bias.data.zero_()

    held_out(level)


def silent_frozen():
    def freeze(model):
        for parameter in list(model.parameters())[:-1]:
            parameter.requires_grad_(False)
        return [model[4].bias]

    held_out(freeze)


def silent_foreign():
    held_out(lambda model: list(__import__("copy").deepcopy(model).parameters()))


def hugging_face(rate=2e-3, poison=None):
    import torch
    from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainingArguments

    from grus_hooks import GrusCallback

    torch.set_num_threads(1)
    torch.manual_seed(0)
    follow = torch.randperm(32)
    tokens = [0]
    for _ in range(2200):
        tokens.append(int(follow[tokens[-1]]))
    if poison is not None:
        tokens[poison] = 77
    rows = [torch.tensor(tokens[i * 8 : i * 8 + 16]) for i in range(256)]
    config = GPT2Config(vocab_size=32, n_positions=64, n_embd=32, n_layer=1, n_head=2, bos_token_id=0, eos_token_id=0)
    args = TrainingArguments(output_dir=".", max_steps=60, per_device_train_batch_size=8, learning_rate=rate, logging_steps=20,
                             save_strategy="no", report_to=[], disable_tqdm=True, use_cpu=True, seed=0)
    data = [{"input_ids": row, "labels": row} for row in rows]
    Trainer(model=GPT2LMHeadModel(config), args=args, train_dataset=data, callbacks=[GrusCallback()]).train()


def hugging_face_healthy():
    hugging_face()


def hugging_face_bad_token():
    hugging_face(poison=900)


def lightning(rate=1e-2, optimizer="AdamW", classes=4):
    import lightning as L
    import torch
    from torch.utils.data import DataLoader, TensorDataset

    from grus_hooks import GrusLightning

    torch.set_num_threads(1)

    class Classifier(L.LightningModule):
        def __init__(self):
            super().__init__()
            self.net = torch.nn.Sequential(torch.nn.Linear(16, 32), torch.nn.ReLU(), torch.nn.Linear(32, classes))

        def training_step(self, batch, _):
            return torch.nn.functional.cross_entropy(self.net(batch[0]), batch[1])

        def validation_step(self, batch, _):
            self.log("val_loss", torch.nn.functional.cross_entropy(self.net(batch[0]), batch[1]))

        def configure_optimizers(self):
            return getattr(torch.optim, optimizer)(self.parameters(), lr=rate)

    L.seed_everything(0)
    x, y = (torch.from_numpy(part) for part in blobs(spread=2.75))
    trainer = L.Trainer(max_epochs=8, logger=False, accelerator="cpu", enable_progress_bar=False, enable_checkpointing=False,
                        enable_model_summary=False, default_root_dir=".", callbacks=[GrusLightning()])
    trainer.fit(Classifier(), DataLoader(TensorDataset(x[:384], y[:384]), batch_size=32, shuffle=True),
                DataLoader(TensorDataset(x[384:], y[384:]), batch_size=64))


def lightning_healthy():
    lightning()


def lightning_too_few_classes():
    lightning(classes=3)


def keras_fit(rate=1e-2, optimizer="Adam"):
    import keras

    from grus_hooks import GrusKeras

    keras.utils.set_random_seed(0)
    x, y = blobs(spread=1.0 if optimizer == "Adam" else 4.0)
    model = keras.Sequential([keras.layers.Dense(32, activation="relu"), keras.layers.Dense(4)])
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(getattr(keras.optimizers, optimizer)(rate), loss=loss, metrics=["accuracy"])
    model.fit(x, y, epochs=10, batch_size=32, validation_split=0.25, verbose=0, callbacks=[GrusKeras(directory=".")])


def keras_healthy():
    keras_fit()


def keras_rate_too_high():
    keras_fit(rate=1e12, optimizer="SGD")


def preload(cases):
    """Imports once, in the parent, what several cases need and what survives a fork."""
    compiler = "torch._dynamo"  # Optimizers of torch import it when they are made.
    for name, modules in (
        ("torch", [compiler]),
        ("silent", [compiler]),
        ("hugging", [compiler, "transformers.trainer", "transformers.models.gpt2.modeling_gpt2"]),
        ("lightning", [compiler, "lightning"]),
    ):
        if any(case.startswith(name) for case in cases):
            for module in modules:
                importlib.import_module(module)


if __name__ == "__main__":
    preload(sys.argv[2:])
    for case in sys.argv[2:]:
        folder = os.path.join(sys.argv[1], case)
        os.makedirs(folder, exist_ok=True)
        child = os.fork()
        if child == 0:
            os.chdir(folder)
            globals()[case]()
            sys.exit(0)
        os.waitpid(child, 0)
