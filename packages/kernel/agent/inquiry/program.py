# The steps of a question, taken one by one inside a copy: constructor calls, module calls, operations on tensors, and on
# the real data. Each step is taken once, after those that it is made of, within a time of its own.
import operator
import signal
import sys
import time

from ..protocol import reasons
from . import data_steps, placeholders
from .data_steps import NoAnswer

STEP_SECONDS = 0.6
DRAW_SECONDS = 0.5
SHORT_OF = 0.05
BINARY = {
    "Add": operator.add, "Sub": operator.sub, "Mult": operator.mul, "Div": operator.truediv, "MatMult": operator.matmul,
    "Pow": operator.pow, "FloorDiv": operator.floordiv, "Mod": operator.mod, "Lt": operator.lt, "LtE": operator.le,
    "Gt": operator.gt, "GtE": operator.ge, "Eq": operator.eq, "NotEq": operator.ne, "BitAnd": operator.and_,
    "BitOr": operator.or_, "BitXor": operator.xor,
}
IN_PLACE = {"Add": operator.iadd, "Sub": operator.isub, "Mult": operator.imul, "Div": operator.itruediv}


class Refused(Exception):
    """The step raised."""

    def __init__(self, error):
        super().__init__(str(error))
        self.error = error


class TimeUp(BaseException):
    """The step takes longer than a question may."""


def parts_of(step):
    """The steps that it is made of."""
    named = [step[name] for name in ("callee", "receiver") if name in step]
    return [*named, *step.get("args", ()), *step.get("keywords", {}).values()]


class Program(data_steps.DataSteps):
    """The steps with one sort of stand-in data. Each is taken once, after those that it is made of."""

    def __init__(self, steps, namespace, fill, deadline, cpu_deadline, gpu=None):
        """The deadlines are of all programs together: on the clock, and in time of the processor. `gpu`: the stand-ins for
        what the kernel has on one."""
        self.steps = steps
        self.namespace = namespace
        self.fill = fill
        self.deadline = deadline
        self.cpu_deadline = cpu_deadline
        self.gpu = gpu
        self.done = {}

    def value(self, wanted):
        if wanted not in self.done:
            self.done[wanted] = self._take(self.steps[wanted])
        kind, value = self.done[wanted]
        if kind == "raised":
            raise Refused(value)
        if kind == "none":
            raise NoAnswer(value)
        return value

    def _take(self, step):
        try:
            parts = self._parts(step)
        except (Refused, NoAnswer):
            return "none", reasons.part_without_value()
        left = min(STEP_SECONDS, self.deadline - time.monotonic() - SHORT_OF)
        work_left = self.cpu_deadline - time.process_time()
        if left <= 0 or work_left <= 0:
            return "none", reasons.time_is_up()
        if self.gpu is not None:
            self.gpu.gpu.strayed = None
        signal.setitimer(signal.ITIMER_REAL, left)
        signal.setitimer(signal.ITIMER_PROF, work_left)
        try:
            with placeholders.circumstances(step, self.fill):
                value = getattr(self, "_" + step["op"])(step, parts)
            if self.gpu is not None and self.gpu.gpu.strayed is not None:
                return "none", reasons.no_gpu_strayed(self.gpu.gpu.strayed)
            return "value", value
        except NoAnswer as none:
            return "none", none.reason
        except TimeUp:
            return "none", reasons.takes_too_long()
        except Exception as error:
            return "raised", error
        except BaseException as error:
            return "none", reasons.ended_by(type(error).__name__)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.setitimer(signal.ITIMER_PROF, 0)

    def _parts(self, step):
        parts = {}
        for name in ("callee", "receiver"):
            if name in step:
                parts[name] = self.value(step[name])
        parts["args"] = [self.value(part) for part in step.get("args", ())]
        parts["keywords"] = {name: self.value(part) for name, part in step.get("keywords", {}).items()}
        return parts

    def _live(self, step, parts):
        first, *rest = step["path"].split(".")
        if first not in self.namespace:
            raise NoAnswer(reasons.name_gone())
        value = self.namespace[first]
        for name in rest:
            value = getattr(value, name)
        if self.gpu is not None:
            self.gpu.bring(value)
        return value

    def _literal(self, step, parts):
        return step["value"]

    def _float(self, step, parts):
        return float(step["value"])

    def _ellipsis(self, step, parts):
        return ...

    def _name(self, step, parts):
        """A member of a library by its qualified name; only what is loaded."""
        words = step["name"].split(".")
        for length in range(len(words), 0, -1):
            module = sys.modules.get(".".join(words[:length]))
            if module is None:
                continue
            value = module
            for word in words[length:]:
                value = getattr(value, word, None)
            if value is not None:
                return value
        raise NoAnswer(reasons.not_loaded(step["name"]))

    def _tensor(self, step, parts):
        if self.gpu is not None:
            return self.gpu.put(placeholders.tensor(step, self.fill), step.get("device"))
        if step.get("device", "cpu") != "cpu":
            raise NoAnswer(reasons.needs_gpu())
        return placeholders.tensor(step, self.fill)

    def _list(self, step, parts):
        return list(parts["args"])

    def _tuple(self, step, parts):
        return tuple(parts["args"])

    def _slice(self, step, parts):
        return slice(*parts["args"])

    def _call(self, step, parts):
        if step.get("name") == "reader" and data_steps.is_long_read(parts["args"][0]):
            raise NoAnswer(reasons.file_too_long())
        return parts["callee"](*parts["args"], **parts["keywords"])

    def _method(self, step, parts):
        value = getattr(parts["receiver"], step["name"])(*parts["args"], **parts["keywords"])
        if step.get("real"):
            return data_steps.no_iterator(value)
        return placeholders.settled(value)

    def _attribute(self, step, parts):
        return getattr(parts["receiver"], step["name"])

    def _binary(self, step, parts):
        return BINARY[step["name"]](*parts["args"])

    def _in_place(self, step, parts):
        return IN_PLACE[step["name"]](*parts["args"])

    def _item(self, step, parts):
        return parts["args"][0][parts["args"][1]]

    def _draw(self, step, parts):
        """All that iteration gives, as far as the time goes: first and last element, or what it raises."""
        source = placeholders.without_workers(parts["receiver"])
        told = placeholders.Drawn()
        ends = time.monotonic() + DRAW_SECONDS
        work_ends = (time.process_time() + self.cpu_deadline) / 2
        iterator = iter(source)
        while time.monotonic() < ends and time.process_time() < work_ends:
            try:
                element = next(iterator)
            except StopIteration:
                told.complete = True
                break
            except Exception as error:
                if told.count == 0:
                    raise
                told.stop(error)
                break
            told.take(element)
        return told
