# Trainers of Lightning and of Hugging Face keep their loops to themselves. They run as they are until they have used their
# share of time; then their own counters are moved on, so that the last batches, the evaluation, callbacks and checkpoints
# at the end still come, in the library's own way.
import math
import sys
import time

from . import settled_parts
from .loops import ROUNDS

LIGHTNING = ("lightning.pytorch", "pytorch_lightning")
TO_SKIP = "_grus_to_skip"


class Trainers:
    def __init__(self, cuts):
        self.cuts = cuts
        self.feeds = None

    def shorten(self, site, owner):
        """Answers what undoes it; nothing when this is no trainer."""
        transformers = sys.modules.get("transformers.trainer")
        if transformers is not None and isinstance(owner, transformers.Trainer):
            return self._begin(_HuggingFace, site, owner)
        for name in LIGHTNING:
            kind = getattr(sys.modules.get(name), "Trainer", None)
            if isinstance(kind, type) and isinstance(owner, kind) and hasattr(owner, "fit_loop"):
                return self._begin(_Lightning, site, owner)
        return []

    def _begin(self, kind, site, owner):
        try:
            self.cuts.parts[id(owner)] = (owner, settled_parts.parts_of(owner))
            if self.feeds is None:
                self.feeds = Feeds()
            return kind(self.cuts, site, owner, self.feeds).begin()
        except Exception:
            # A release of the library that is made otherwise: it runs whole.
            return []


class Feeds:
    """The loaders that are being read, and how many of their batches are to be left out before the next."""

    def __init__(self):
        self.reading = {}
        base = sys.modules["torch.utils.data.dataloader"]._BaseDataLoaderIter
        whole = base._next_index

        def next_index(iterator):
            self.reading[id(iterator._index_sampler)] = iterator
            for _ in range(vars(iterator).pop(TO_SKIP, 0)):
                whole(iterator)
            return whole(iterator)

        base._next_index = next_index

    def of(self, loader):
        """How the loader is being read; None where batches cannot be left out, or are made by other processes."""
        loader = getattr(loader, "base_dataloader", loader)
        iterator = self.reading.get(id(getattr(loader, "_index_sampler", None)))
        fetcher = type(getattr(iterator, "_dataset_fetcher", None)).__name__
        if type(iterator).__name__ == "_SingleProcessDataLoaderIter" and fetcher == "_MapDatasetFetcher":
            return iterator
        return None

    def skip(self, iterator, batches):
        setattr(iterator, TO_SKIP, batches)


class _Lightning:
    def __init__(self, cuts, site, trainer, feeds):
        self.cuts, self.site, self.feeds = cuts, site, feeds
        self.trainer, self.epochs, self.batches = trainer, trainer.fit_loop, trainer.fit_loop.epoch_loop
        self.whole = False
        self.made = {"batches": 0, "epochs": 0}
        self.since = dict.fromkeys(self.made, 0.0)

    def begin(self):
        return [
            self._wrap(self.batches, "advance", before=lambda *_: self._start("batches")),
            self._wrap(self.batches, "on_advance_end", after=self._batch_is_over),
            self._wrap(self.epochs, "on_advance_start", before=self._epoch_begins),
            self._wrap(self.epochs, "on_advance_end", after=self._epoch_is_over),
        ]

    def _wrap(self, loop, name, before=None, after=None):
        whole = getattr(loop, name)

        def wrapped(*given):
            self._also(before, given)
            answer = whole(*given)
            self._also(after, given)
            return answer

        setattr(loop, name, wrapped)
        return lambda: delattr(loop, name)

    def _also(self, step, given):
        try:
            if step is not None and not self.whole:
                step(*given)
        except Exception:
            self.whole = True

    def _start(self, what):
        self.since[what] = time.perf_counter()

    def _epoch_begins(self):
        self._start("epochs")
        self.made["batches"] = 0

    def _spent(self, what):
        self.cuts.spend((self.site, what), time.perf_counter() - self.since[what])
        self.made[what] += 1
        return self.cuts.is_spent((self.site, what)) and self.made[what] >= ROUNDS

    def _batch_is_over(self, fetcher):
        spent, seconds = self._spent("batches"), time.perf_counter() - self.since["batches"]
        loaders = self.epochs._combined_loader.flattened
        iterator = self.feeds.of(loaders[0]) if len(loaders) == 1 else None
        total, progress = self.trainer.num_training_batches, self.batches.batch_progress
        if not spent or iterator is None or type(total) is not int or self.trainer.should_stop:
            return
        skipped = total - progress.current.completed - 1
        if self.trainer.max_steps > 0:
            every = self.trainer.accumulate_grad_batches
            skipped = min(skipped, (self.trainer.max_steps - self.trainer.global_step - 1) * every)
        if skipped <= 0:
            return
        self._note("batches", progress.current.completed + 1, total, skipped, seconds)
        self.feeds.skip(iterator, skipped)
        fetcher.fetched += skipped
        _move(progress, skipped)
        self._move_steps(skipped)

    def _epoch_is_over(self):
        spent, seconds = self._spent("epochs"), time.perf_counter() - self.since["epochs"]
        progress, most, steps = self.epochs.epoch_progress, self.trainer.max_epochs, self.trainer.max_steps
        if not spent or self.trainer.should_stop:
            return
        per_epoch = self.trainer.num_training_batches
        if type(most) is int and most > 0 and self.cuts.is_half(self.site):
            self.epochs.max_epochs = most = _half(most, self.trainer.check_val_every_n_epoch)
        skipped = [most - progress.current.processed - 1] if type(most) is int and most > 0 else []
        if steps > 0 and type(per_epoch) is int:
            every = self.trainer.accumulate_grad_batches
            skipped.append((steps - self.trainer.global_step - 1) * every // per_epoch)
        if not skipped or min(skipped) <= 0:
            return
        self._note("epochs", self.made["epochs"] + 1, self.made["epochs"] + 1 + min(skipped), min(skipped), seconds)
        self.cuts.jump(self.cuts.outermost[0])
        _move(progress, min(skipped))
        if type(per_epoch) is int:
            self._move_steps(min(skipped) * per_epoch)

    def _move_steps(self, batches):
        if self.trainer.max_steps <= 0:
            return
        steps = batches // self.trainer.accumulate_grad_batches
        if self.trainer.lightning_module.automatic_optimization:
            _move(self.batches.automatic_optimization.optim_progress.optimizer.step, steps)
        else:
            _move(self.batches.manual_optimization.optim_step_progress, steps)

    def _note(self, what, done, of, skipped, seconds):
        self.cuts.note(self.site, what, done, of, "lightning", self.trainer)
        self.cuts.skip(self.site, skipped, seconds)


def _half(rounds, *steps):
    """About half as many, and such that what comes after so many rounds comes at the end of these too."""
    every = math.lcm(*(step for step in steps if type(step) is int and 0 < step <= rounds))
    return max(every, rounds // 2 // every * every)


def _move(progress, rounds):
    progress.current.increment_by(rounds)
    progress.total.increment_by(rounds)


class _HuggingFace:
    """One jump, to the last two updates of the training: the batch that was fetched ahead comes before the last."""

    AFTER = 2

    def __init__(self, cuts, site, trainer, feeds):
        self.cuts, self.site, self.trainer, self.feeds = cuts, site, trainer, feeds
        self.updates, self.since, self.whole, self.jumped = 0, None, False, False

    def begin(self):
        handler = self.trainer.callback_handler
        begins, ends = handler.on_step_begin, handler.on_step_end

        def step_begins(args, state, control):
            try:
                self._consider(args, state)
            except Exception:
                self.whole = True
            return begins(args, state, control)

        def step_ends(args, state, control):
            if self.jumped and state.global_step >= state.max_steps:
                state.epoch = self.last_epoch
            return ends(args, state, control)

        handler.on_step_begin, handler.on_step_end = step_begins, step_ends

        def undo():
            del handler.on_step_begin, handler.on_step_end

        return [undo]

    def _consider(self, args, state):
        now = time.perf_counter()
        if self.since is not None:
            self.cuts.spend(self.site, now - self.since)
            self.updates += 1
        self.since = now
        if self.whole or self.jumped or self.updates < ROUNDS or not self.cuts.is_spent(self.site):
            return
        loader = self.trainer.callback_handler.train_dataloader
        iterator = self.feeds.of(loader)
        if iterator is None:
            return
        each = args.gradient_accumulation_steps
        base = getattr(loader, "base_dataloader", loader)
        ahead = 0 if base is loader else 1
        if self.cuts.is_half(self.site):
            state.max_steps = _half(state.max_steps, state.eval_steps, state.save_steps, state.logging_steps)
        batches = len(base) - iterator._num_yielded - (self.AFTER * each - ahead)
        updates = state.max_steps - state.global_step - 1 - self.AFTER
        if batches <= 0 or updates <= 0:
            return
        self.jumped = True
        self.last_epoch = state.max_steps / max(1, -(-len(base) // each))
        done = state.global_step + 1 + self.AFTER
        self.cuts.note(self.site, "steps", done, state.max_steps, "transformers", self.trainer)
        self.cuts.skip(self.site, updates, self.cuts.used[self.site] / self.updates)
        self.feeds.skip(iterator, batches)
        state.global_step += updates
        self.cuts.jump(self.cuts.outermost[0])
