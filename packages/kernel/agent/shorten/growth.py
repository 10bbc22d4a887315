# What a round of a loop adds. A list that grows by as many elements in every round is given those of the rounds that are
# left out, so that it has the length of the whole run; its numbers go on as they did. Everything else has to keep its form
# from round to round, or the loop decides about more than numbers.
import contextlib

from . import forms

MOST_BUILT = 300_000
MOST_REPEATED = 8_000_000


class Seen:
    """How things were after a round."""

    def __init__(self, frame, answer=None):
        self.forms, self.lists = {}, {}
        # Things of the notebook can answer anything: then nothing is known, and the loop goes on.
        with contextlib.suppress(Exception):
            self._look(frame, answer)

    def _look(self, frame, answer):
        for name, path, value in forms.walk({**forms.names_of(frame), "": answer}):
            self.forms.setdefault(name, {})[path] = forms.form_of(value)
            if forms.is_sequence(value) or isinstance(value, set):
                self.lists[id(value)] = (value, len(value))


class Growth:
    """Of one loop, from its start and the two rounds before the cut to the end. `chosen`: so many rounds come between the
    cut and the last."""

    def __init__(self, start, before, after, rounds, chosen=0):
        self.start, self.before, self.after, self.rounds = start, before, after, rounds
        self.chosen = chosen
        self.expected = {}
        self.irregular = {}

    def is_filled_by(self, held):
        """Whether every round so far added as much to this list as the last."""
        _, length = self.after.lists.get(id(held), (held, 0))
        _, earlier = self.before.lists.get(id(held), (held, length))
        return length > earlier and self._is_regular(id(held), length, length - earlier)

    def fill(self, skipped, anyway=False):
        """Add what the rounds would have added that are left out now. `anyway`: also to lists that grew in some rounds only,
        about as much as they did."""
        for key, (held, length) in self.after.lists.items():
            _, earlier = self.before.lists.get(key, (held, length))
            by = length - earlier
            if not self._is_regular(key, length, by):
                self.irregular[key] = held
                if anyway and length and forms.is_sequence(held):
                    held.extend(list(held) * min(skipped // self.rounds + 1, MOST_BUILT // length))
            elif by > 0:
                if len(held) == length and lengthen(held, by, skipped):
                    self.expected[key] = (held, len(held) + by * (self.chosen + 1))
                else:
                    self.irregular[key] = held

    def _is_regular(self, key, length, by):
        """Whether every round so far added as much as the last."""
        if self.start is None or key not in self.start.lists:
            # Made in the loop: a list that lives on from round to round may have begun at any of them.
            return by == 0
        return self.start.lists[key][1] + self.rounds * by == length

    def end(self, frame):
        """(names to whether they kept their form, lists of unknown length), when the last round is over."""
        for key, (held, length) in self.expected.items():
            if len(held) != length:
                self.irregular[key] = held
        last = Seen(frame)
        for key, (held, length) in last.lists.items():
            if key in self.after.lists and key not in self.expected and self.after.lists[key][1] != length:
                self.irregular[key] = held
        stable = dict.fromkeys(last.forms, False)
        with contextlib.suppress(Exception):
            for name, found in last.forms.items():
                earlier = [seen.forms.get(name) for seen in (self.before, self.after)]
                stable[name] = all(one == found for one in earlier) and self._began_with_its_keys(name, found)
        return stable, self.irregular

    def _began_with_its_keys(self, name, found):
        """Keys that only some rounds add may come in later ones too."""
        began = self.start.forms.get(name) if self.start is not None else None
        tables = [(path, form) for path, form in found.items() if issubclass(form[0], dict)]
        return began is None or all(began.get(path, form) == form for path, form in tables)


def lengthen(held, by, skipped):
    """Whether the list could be given so many rounds more, each adding as many elements as the last one did."""
    if by <= 0 or skipped * by > MOST_REPEATED or isinstance(held, set):
        return False
    block, before = list(held)[-by:], list(held)[-2 * by : -by]
    if len(before) != by:
        held.extend(block * skipped)
        return True
    moves = [_moves(one, other) for one, other in zip(before, block)]
    if not any(moves):
        held.extend(block * skipped)
        return True
    if skipped * by > MOST_BUILT:
        return False
    for number in range(1, skipped + 1):
        held.extend(_moved(one, other, number) for one, other in zip(before, block))
    return True


def _moves(before, after):
    """Whether whole numbers in it go on from round to round."""
    if type(before) is int and type(after) is int:
        return before != after
    if isinstance(after, dict) and isinstance(before, dict):
        return any(_moves(before.get(key), part) for key, part in after.items())
    if isinstance(after, (list, tuple)) and isinstance(before, (list, tuple)) and len(before) == len(after) < 20:
        return any(map(_moves, before, after))
    return False


def _moved(before, after, rounds):
    if type(before) is int and type(after) is int:
        return after + (after - before) * rounds
    if type(after) is dict and isinstance(before, dict):
        return {key: _moved(before.get(key), part, rounds) for key, part in after.items()}
    if type(after) in (list, tuple) and isinstance(before, (list, tuple)) and len(before) == len(after) < 20:
        moved = [_moved(one, other, rounds) for one, other in zip(before, after)]
        return moved if type(after) is list else tuple(moved)
    return after
