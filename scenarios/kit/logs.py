"""Loggers that write what real tools write, so that one script can be recorded in many formats.

`open_log(format, config)` writes into the working directory. Values are floats; NaN and infinity are written as the tool
in question writes them.
"""

import csv
import json
import sys
import time
import types


class Log:
    """Prints nothing and keeps nothing: the base of the others."""

    def __init__(self, config):
        self.config = config
        self.started = time.time()

    def train(self, step, **metrics):
        raise NotImplementedError

    def eval(self, step, **metrics):
        self.train(step, **{f"eval_{name}": value for name, value in metrics.items()})

    def close(self):
        pass


class NanoGpt(Log):
    """`iter N: loss L, time T ms, mfu M%` and `step N: train loss …, val loss …`."""

    def __init__(self, config):
        super().__init__(config)
        for name, value in config.items():
            print(f"Overriding: {name} = {value}")

    def train(self, step, **rest):
        loss = rest["loss"]
        print(f"iter {step}: loss {loss:.4f}, time {rest.get('step_time', 0.1) * 1000:.2f}ms, mfu -100.00%", flush=True)

    def eval(self, step, **rest):
        loss = rest["loss"]
        print(f"step {step}: train loss {rest.get('train_loss', loss):.4f}, val loss {loss:.4f}", flush=True)


class HuggingFace(Log):
    """The console of the Hugging Face trainer: one dict per line, numbers in quotes since version 5."""

    quoted = True

    def _line(self, values):
        text = {k: f"{v:.4g}" if isinstance(v, float) else v for k, v in values.items()} if self.quoted else values
        print(text, flush=True)

    def train(self, step, **metrics):
        values = {"loss": metrics["loss"]}
        for name, key in (("grad_norm", "grad_norm"), ("lr", "learning_rate")):
            if name in metrics:
                values[key] = metrics[name]
        self._line({**values, "epoch": round(step / self.config.get("steps_per_epoch", 100), 2)})

    def eval(self, step, **metrics):
        values = {f"eval_{name}": value for name, value in metrics.items()}
        self._line({**values, "epoch": round(step / self.config.get("steps_per_epoch", 100), 2)})


class HuggingFaceOld(HuggingFace):
    quoted = False


class Megatron(Log):
    def __init__(self, config):
        super().__init__(config)
        self.steps = config.get("max_steps", config.get("steps", 1000))
        self.batch = config.get("batch_size", config.get("batch", 8))

    def train(self, step, **rest):
        loss = rest["loss"]
        parts = [
            f"iteration {step:8d}/{self.steps:8d}",
            f"consumed samples: {step * self.batch:12d}",
            f"elapsed time per iteration (ms): {1000 * rest.get('step_time', 0.1):.1f}",
            f"learning rate: {rest.get('lr', 0):.6E}",
            f"global batch size: {self.batch:5d}",
        ]
        nan = loss != loss
        parts += [] if nan else [f"lm loss: {loss:.6E}"]
        parts += [f"loss scale: {rest.get('loss_scale', 1.0):.1f}", f"grad norm: {rest.get('grad_norm', 0):.3f}"]
        parts += [f"number of skipped iterations: {0:3d}", f"number of nan iterations: {int(nan):3d} |"]
        print(time.strftime(" [%Y-%m-%d %H:%M:%S] ") + " | ".join(parts), flush=True)


class Plain(Log):
    """What most people print: `step 10 | loss 2.31 | lr 1.0e-03 | …`."""

    def train(self, step, **metrics):
        print(" | ".join([f"step {step}"] + [f"{name} {value:.6g}" for name, value in metrics.items()]), flush=True)


class JsonLines(Log):
    def __init__(self, config):
        super().__init__(config)
        self.file = open("metrics.jsonl", "w")
        with open("config.json", "w") as config_file:
            json.dump(config, config_file, indent=2)

    def train(self, step, **metrics):
        self.file.write(json.dumps({"step": step, **metrics}) + "\n")
        self.file.flush()

    def close(self):
        self.file.close()


class Csv(Log):
    fields = ("step", "loss", "lr", "grad_norm", "accuracy", "memory_gb", "eval_loss", "eval_accuracy")

    def __init__(self, config):
        super().__init__(config)
        self.file = open("log.csv", "w", newline="")
        self.writer = csv.DictWriter(self.file, self.fields, extrasaction="ignore", restval="")
        self.writer.writeheader()
        with open("config.json", "w") as config_file:
            json.dump(config, config_file, indent=2)

    def train(self, step, **metrics):
        row: dict = {"step": step, **metrics}
        self.writer.writerow(row)
        self.file.flush()

    def close(self):
        self.file.close()


class TensorBoard(Log):
    def __init__(self, config):
        super().__init__(config)
        # Importing this name is how tensorboard is told not to load TensorFlow, which takes seconds.
        sys.modules.setdefault("tensorboard.compat.notf", types.ModuleType("notf"))
        from torch.utils.tensorboard import SummaryWriter

        self.writer = SummaryWriter("runs")
        with open("hparams.yaml", "w") as file:
            file.writelines(f"{name}: {value}\n" for name, value in config.items())

    def train(self, step, **metrics):
        for name, value in metrics.items():
            self.writer.add_scalar(f"train/{name}", value, step)
        self.writer.flush()

    def eval(self, step, **metrics):
        for name, value in metrics.items():
            self.writer.add_scalar(f"val/{name}", value, step)

    def close(self):
        self.writer.close()


class WeightsAndBiases(Log):
    def __init__(self, config):
        super().__init__(config)
        import wandb

        # The recording machine stays out of the file: no host, no user, no repository, no list of packages.
        settings = wandb.Settings(
            silent=True, disable_git=True, save_code=False, x_disable_meta=True, x_disable_machine_info=True,
            x_save_requirements=False, host="node01", username="user", program="train.py", console="off",
        )  # fmt: skip
        self.run = wandb.init(mode="offline", project="scenario", config=config, settings=settings)

    def train(self, step, **metrics):
        self.run.log(metrics, step=step)

    def close(self):
        self.run.finish()


class MlFlow(Log):
    store = "sqlite:///mlflow.db"

    def __init__(self, config):
        super().__init__(config)
        import logging
        import os

        os.environ["MLFLOW_ALLOW_FILE_STORE"] = "true"
        import mlflow

        logging.getLogger("mlflow").setLevel(logging.WARNING)
        self.mlflow = mlflow
        mlflow.set_tracking_uri(self.store)
        mlflow.start_run()
        mlflow.log_params(config)

    def train(self, step, **metrics):
        self.mlflow.log_metrics(metrics, step=step)

    def close(self):
        self.mlflow.end_run()


class MlFlowFiles(MlFlow):
    store = "file:mlruns"


formats = {
    "nanogpt": NanoGpt,
    "hf-console": HuggingFace,
    "hf-console-old": HuggingFaceOld,
    "megatron": Megatron,
    "plain": Plain,
    "jsonl": JsonLines,
    "csv": Csv,
    "tensorboard": TensorBoard,
    "wandb": WeightsAndBiases,
    "mlflow": MlFlow,
    "mlflow-files": MlFlowFiles,
}


def open_log(name, config):
    return formats[name](config)
