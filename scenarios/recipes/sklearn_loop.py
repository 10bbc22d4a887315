"""The same rows under scikit-learn: a network or a linear model, either fitted in one call that prints what it sees, or epoch by epoch by
a loop that scores it."""

import torch
from torch import nn

from . import records

formats = ["sklearn-verbose"]
architectures = ["mlp", "linear"]
tasks = ("table", "rare", "regression")
able = {
    "labels_shuffled", "targets_shuffled", "labels_shifted", "label_mapping", "blank_inputs", "majority_class", "target_in_features", "judged_on_training_rows",
    "sorted_by_label", "validation_not_scaled", "rate_too_high", "rate_too_low", "decay_collapses", "momentum_unstable", "few_rows",
}  # fmt: skip
"""Faults of rows and settings: the loop and the loss are the library's own."""


class Fitted(nn.Module):
    """The estimator where the judge expects a model: logarithms of probabilities, or values."""

    def __init__(self, estimator, outcomes):
        super().__init__()
        self.estimator, self.outcomes = estimator, outcomes

    def forward(self, inputs):
        if not hasattr(self.estimator, "predict_proba"):
            return torch.tensor(self.estimator.predict(inputs.numpy()), dtype=torch.float32).reshape(len(inputs), -1)
        found = torch.tensor(self.estimator.predict_proba(inputs.numpy()), dtype=torch.float32)
        whole = torch.zeros(len(inputs), self.outcomes)
        whole[:, torch.tensor(self.estimator.classes_.astype("int64"))] = found
        return whole.clamp_min(1e-7).log()


def train(recipe, plan, say):
    import warnings

    warnings.simplefilter("ignore")
    settle(recipe, plan)
    inputs, targets = plan.problem.train[0].numpy(), plan.problem.train[1].squeeze(-1).numpy()
    verbose = recipe.format == "sklearn-verbose"
    epochs = max(4, -(-plan.steps // plan.epoch_steps))
    estimator = estimator_of(recipe, plan, epochs, verbose)
    plan.model = Fitted(estimator, plan.problem.outcomes)
    if verbose:
        records.say_settings(recipe, plan, say)
        estimator.fit(inputs, targets)
        plan.validate()
        return
    record = records.open_record(recipe, plan, say)
    known = {"classes": list(range(plan.problem.outcomes))} if plan.problem.kind == "classes" else {}
    for epoch in range(epochs):
        estimator.partial_fit(inputs, targets, **known)
        step = (epoch + 1) * plan.epoch_steps - 1
        trained = plan.answer(plan.problem.train[0])
        record.epoch(
            step,
            {
                "loss": plan.problem.loss(trained, plan.problem.train[1]).item(),
                "accuracy": plan.problem.score(trained, plan.problem.train[1]),
            },
        )
        loss, score = plan.validate()
        record.held_out(step, {"loss": loss, "accuracy": score})
        record.flush(step)
    record.close()


def settle(recipe, plan):
    """The library's own solvers, at the rates they take."""
    linear, plain = recipe.architecture == "linear", plan.optimizer in ("sgd", "momentum", "nesterov")
    plan.rate *= 0.1 if linear and plan.optimizer == "sgd" else 1 / 3 if plan.optimizer in ("momentum", "nesterov") else 1
    plan.settings.update(
        learning_rate=plan.rate, optimizer="sgd" if linear or plain else "adam", momentum=0.0 if linear else plan.momentum
    )


def estimator_of(recipe, plan, epochs, verbose):
    from sklearn.linear_model import SGDClassifier, SGDRegressor
    from sklearn.neural_network import MLPClassifier, MLPRegressor

    classes = plan.problem.kind == "classes"
    if recipe.architecture == "linear":
        common = {
            "alpha": max(plan.decay, 1e-4),
            "learning_rate": "constant",
            "eta0": plan.rate,
            "shuffle": plan.shuffles,
            "random_state": recipe.seed % 1000,
            "verbose": int(verbose),
            "max_iter": epochs,
            "tol": None,
        }
        return SGDClassifier(loss="log_loss", **common) if classes else SGDRegressor(**common)
    solver = "sgd" if plan.optimizer in ("sgd", "momentum", "nesterov") else "adam"
    early = (
        {"early_stopping": True, "n_iter_no_change": epochs}
        if verbose and "val_accuracy" in recipe.values
        else {"n_iter_no_change": epochs}
    )
    return (MLPClassifier if classes else MLPRegressor)(
        hidden_layer_sizes=(32,), solver=solver, learning_rate_init=plan.rate, batch_size=plan.batch,
        alpha=plan.decay or 1e-4, momentum=plan.momentum, shuffle=plan.shuffles, max_iter=epochs, random_state=recipe.seed % 1000, verbose=verbose, **early,
    )  # fmt: skip
