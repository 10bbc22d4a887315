# How a fit of Keras is cut short: a few epochs, each left by Keras itself after its share of time, so that validation and
# callbacks come in the library's own way.
import sys
import time

from .loops import SHARE

EPOCHS = "epochs"
# Where `fit` takes them when they are not named.
POSITION = 3
CALLBACKS = "callbacks"
FEW = 3


def shorten(cuts, site, function, arguments, keywords):
    """Nothing has to be undone."""
    owner, base = getattr(function, "__self__", None), getattr(sys.modules.get("keras.callbacks"), "Callback", None)
    whole = arguments[POSITION] if len(arguments) > POSITION else keywords.get(EPOCHS)
    given = keywords.get(CALLBACKS) or []
    first = keywords.get("initial_epoch", 0)
    few = cuts.few(FEW)
    plain = base is not None and hasattr(owner, "stop_training") and isinstance(given, (list, tuple, base))
    every = keywords.get("validation_freq", 1) == 1 and type(first) is int
    if function.__name__ != "fit" or not plain or not every or type(whole) is not int or whole - first <= few:
        return []
    cuts.note(site, EPOCHS, few, whole - first, "keras", owner)
    if len(arguments) > POSITION:
        arguments[POSITION] = first + few
    else:
        keywords[EPOCHS] = first + few
    pacer = _pacer(base, cuts, site, whole - first - few)
    keywords[CALLBACKS] = [*(given if isinstance(given, (list, tuple)) else [given]), pacer]
    return []


def _pacer(base, cuts, site, left_out):
    class Pacer(base):
        def on_epoch_begin(self, epoch, logs=None):
            self.since, self.left = time.perf_counter(), False

        def on_train_batch_end(self, batch, logs=None):
            if batch >= 1 and time.perf_counter() - self.since > SHARE and not self.model.stop_training:
                self.left = self.model.stop_training = True

        def on_epoch_end(self, epoch, logs=None):
            if self.left:
                self.model.stop_training = False
            cuts.skip(site, left_out / FEW, time.perf_counter() - self.since)

    return Pacer()
