"""The loop most people write, and the same plan under Lightning and under the Trainer of transformers."""

import torch

from . import keras_loop, records, sklearn_loop


def train(recipe, plan, say):
    """Trains and records; the model is the plan's."""
    if plan.half:
        plan.model.half()
    plan.made_optimizer = optimizer = plan.make_optimizer()
    record = records.open_record(recipe, plan, say)
    best, waited = float("inf"), 0
    for step in range(plan.steps):
        if plan.incident:
            plan.incident(plan, step, say)
        plan.model.train(not plan.trains_in_eval)
        inputs, targets = plan.draw(step)
        for group in optimizer.param_groups:
            group["lr"] = plan.rate * plan.factor(step)
        outputs = plan.model(inputs.half() if plan.half and inputs.is_floating_point() else inputs)
        loss = plan.loss(outputs.float(), targets)
        if plan.clears:
            optimizer.zero_grad()
            plan.model.zero_grad()
        loss.backward()
        norm = (
            norm_of(plan.model)
            if plan.clip is None
            else torch.nn.utils.clip_grad_norm_(plan.model.parameters(), plan.clip).item()
        )
        optimizer.step()
        if isinstance(record, records.Hooks):
            record.step(step, loss, (inputs, targets), norm)
        score = plan.problem.score(outputs.detach().float(), targets)
        record.train(
            step, {"loss": loss.item(), "accuracy": score, "grad_norm": norm, "lr": optimizer.param_groups[0]["lr"]}
        )
        if (step + 1) % recipe.validates_every(plan) == 0 or step + 1 == plan.steps:
            held_out, score = plan.validate()
            record.held_out(step, {"loss": held_out, "accuracy": score})
            waited = 0 if held_out < best - 1e-4 else waited + 1
            best = min(best, held_out)
            if plan.stops_early and waited >= 4 and step > 0.4 * plan.steps:
                record.flush(step)
                say(f"Early stopping: no improvement of the validation loss for {waited} evaluations")
                break
        record.flush(step) if (step + 1) % plan.epoch_steps == 0 or step + 1 == plan.steps else None
    record.close()


def norm_of(model):
    grads = [p.grad.flatten() for p in model.parameters() if p.grad is not None]
    return torch.cat(grads).norm().item() if grads else 0.0


def lightning(recipe, plan, say):
    import logging
    import warnings

    warnings.simplefilter("ignore")
    logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)
    logging.getLogger("pytorch_lightning").setLevel(logging.ERROR)
    try:
        import lightning.pytorch as L
        from lightning.pytorch.loggers import CSVLogger
    except ImportError:
        import pytorch_lightning as L
        from pytorch_lightning.loggers import CSVLogger

    class Module(L.LightningModule):
        def __init__(self):
            super().__init__()
            self.net = plan.model
            if recipe.keeps_settings:
                self.save_hyperparameters(plan.settings)

        def training_step(self, batch, _):
            outputs = self.net(batch[0])
            loss = plan.loss(outputs, batch[1])
            self.log("train_loss", loss)
            if "accuracy" in recipe.values:
                self.log("train_" + recipe.named("accuracy"), plan.problem.score(outputs.detach(), batch[1]))
            return loss

        def on_before_optimizer_step(self, optimizer):
            if "grad_norm" in recipe.values:
                self.log("grad_norm", norm_of(self.net))
            if "lr" in recipe.values:
                self.log("lr", optimizer.param_groups[0]["lr"])

        def validation_step(self, batch, _):
            outputs = self.net(batch[0])
            plan.history.append(plan.problem.loss(outputs, batch[1]).item())
            if "val_loss" in recipe.values:
                self.log("val_loss", plan.history[-1])
            if "val_accuracy" in recipe.values:
                self.log("val_" + recipe.named("accuracy"), plan.problem.score(outputs, batch[1]))

        def configure_optimizers(self):
            optimizer = plan.make_optimizer()
            schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, plan.factor)
            return {"optimizer": optimizer, "lr_scheduler": {"scheduler": schedule, "interval": "step"}}

    def loader(part, shuffle, batch):
        return torch.utils.data.DataLoader(
            torch.utils.data.TensorDataset(*part),
            batch,
            shuffle=shuffle,
            generator=plan.generator if shuffle else None,
            drop_last=shuffle,
        )

    trainer = L.Trainer(
        max_steps=plan.steps, accelerator="cpu", logger=CSVLogger(".", name="lightning_logs"), log_every_n_steps=recipe.every, gradient_clip_val=plan.clip,
        enable_progress_bar=False, enable_checkpointing=False, enable_model_summary=False, num_sanity_val_steps=0, check_val_every_n_epoch=None,
        val_check_interval=recipe.validates_every(plan),
    )  # fmt: skip
    trainer.fit(
        Module(),
        loader(plan.problem.train, plan.shuffles, plan.batch),
        loader(plan.held_out or plan.problem.held_out, False, 400),
    )


def hugging_face(recipe, plan, say):
    from transformers import Trainer, TrainingArguments
    from transformers.utils import logging

    logging.set_verbosity_error()

    class Answering(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.net = plan.model

        def forward(self, inputs, labels=None):
            outputs = self.net(inputs)
            if not self.training:
                plan.history.append(plan.problem.loss(outputs, labels).item())
            return {
                "loss": plan.loss(outputs, labels) if self.training else plan.problem.loss(outputs, labels),
                "logits": outputs,
            }

    class Rows(torch.utils.data.Dataset):
        def __init__(self, part):
            self.part = part

        def __len__(self):
            return len(self.part[0])

        def __getitem__(self, index):
            return {"inputs": self.part[0][index], "labels": self.part[1][index]}

    def scored(prediction):
        return {
            recipe.named("accuracy"): plan.problem.score(
                torch.as_tensor(prediction.predictions), torch.as_tensor(prediction.label_ids)
            )
        }

    optimizer = plan.make_optimizer()
    evaluates = any(name.startswith("val") for name in recipe.values)
    arguments = TrainingArguments(
        output_dir=".", max_steps=plan.steps, per_device_train_batch_size=plan.batch, per_device_eval_batch_size=400, learning_rate=plan.rate, logging_steps=recipe.every,
        eval_strategy="steps" if evaluates else "no", eval_steps=recipe.validates_every(plan), save_strategy="no", report_to=[], disable_tqdm=True, use_cpu=True,
        seed=recipe.seed % 1000, max_grad_norm=plan.clip or 1e9, remove_unused_columns=False, label_names=["labels"],
    )  # fmt: skip
    trainer = Trainer(
        model=Answering(), args=arguments, train_dataset=Rows(plan.problem.train), eval_dataset=Rows(plan.held_out or plan.problem.held_out),
        compute_metrics=scored if "val_accuracy" in recipe.values else None,
        optimizers=(optimizer, torch.optim.lr_scheduler.LambdaLR(optimizer, plan.factor)),
    )  # fmt: skip
    trainer.train()
    if recipe.format == "trainer-state":
        trainer.save_state()


loops = {
    "pytorch": train,
    "lightning": lightning,
    "transformers": hugging_face,
    "keras": keras_loop.train,
    "sklearn": sklearn_loop.train,
}
