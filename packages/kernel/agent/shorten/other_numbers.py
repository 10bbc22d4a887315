# Other numbers of the same kind and form: for single ones, arrays, tensors, and for what an estimator answers.
import random
import sys
from typing import Any

from .things import is_a

# Between 0 and 1; large ones of both signs; nothing but zero.
SMALL, LARGE, ZERO = 1, 2, 3
ALL = (SMALL, LARGE, ZERO)
SIMPLE = (int, float, bool)
PREDICTING = "predict predict_proba predict_log_proba decision_function transform inplace_predict score".split()


def is_number(value):
    return type(value) in SIMPLE or is_a(value, "numpy", "generic")


class Numbers:
    def __init__(self, number):
        self.number = number
        self.chance = random.Random(number)

    def _one_of(self, small, large, zero):
        return {SMALL: small, LARGE: large, ZERO: zero}[self.number]

    def other(self, value):
        """Another number of its kind."""
        kind = type(value)
        if kind is bool:
            return self.number == SMALL
        if kind is int:
            return self.chance.randrange(self._one_of(max(2, abs(value) + 2), 1_000, 1))
        if kind is float:
            return self._one_of(self.chance.random(), self.chance.uniform(-1e3, 1e3), 0.0)
        return self.array(sys.modules["numpy"].asarray(value))[()]

    def array(self, value, bounded=False):
        """An array of the same shape and dtype. `bounded`: within 0 and 1, and rows that sum to 1, stay so."""
        numpy = sys.modules["numpy"]
        draw = numpy.random.default_rng(self.chance.randrange(1 << 30))
        kind = value.dtype.kind
        if kind == "f":
            within = bounded and value.size > 0 and value.min() >= 0 and value.max() <= 1
            low, high = self._one_of((0, 1), (0, 1) if within else (-1e3, 1e3), (0, 0))
            made = draw.uniform(low, high, value.shape)
            if within and value.ndim == 2 and numpy.allclose(value.sum(axis=1), 1):
                made += 1e-3
                made /= made.sum(axis=1, keepdims=True)
        elif kind in "iu":
            made = draw.integers(0, self._one_of(int(abs(value).max(initial=0)) + 2, 100, 1), value.shape)
        elif kind == "b":
            made = draw.random(value.shape) < self._one_of(0.5, 2, 0)
        else:
            return value
        return made.astype(value.dtype)

    def into_tensor(self, value):
        torch = sys.modules["torch"]
        with torch.no_grad():
            values = value.detach().cpu()
            values = values.float() if value.dtype.is_floating_point else values
            value.detach().copy_(torch.from_numpy(self.array(values.numpy())).to(value.dtype))

    def answers_of(self, kind):
        """Have the instances of an estimator's class answer other numbers than they would."""
        for name in PREDICTING:
            whole = next((vars(base)[name] for base in kind.__mro__ if name in vars(base)), None)
            if hasattr(whole, "__get__"):
                setattr(kind, name, _Answers(whole, self._answered))

    def _answered(self, owner, answer):
        if isinstance(answer, float):
            return type(answer)(self._one_of(self.chance.random(), self.chance.random(), 0.0))
        if not is_a(answer, "numpy", "ndarray"):
            return answer
        classes: Any = getattr(owner, "classes_", None)
        if is_a(classes, "numpy", "ndarray") and answer.dtype == classes.dtype and answer.dtype.kind != "f":
            several = len(classes) if self.number != ZERO else 1
            return classes[[self.chance.randrange(several) for _ in range(answer.size)]].reshape(answer.shape)
        return self.array(answer, bounded=True)


class _Answers:
    """A method that is there under the same conditions as the one it stands for."""

    def __init__(self, whole, answered):
        self.whole, self.answered = whole, answered

    def __get__(self, owner, kind=None):
        whole = self.whole.__get__(owner, kind)
        if owner is None:
            return whole
        return lambda *given, **named: self.answered(owner, whole(*given, **named))
