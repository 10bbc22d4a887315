# What a round of a loop adds. A list that grows by as many elements in every round, or in every round of a kind, is given
# those of the rounds that are left out, so that it has the length of the whole run; its numbers go on as they did. So does
# a table whose keys count the rounds; and numbers that count them are where they are in the round that runs. Everything
# else has to keep its form from round to round, or the loop decides about more than numbers.
import contextlib

from . import forms, scheduled
from .kinds import MOST_DECIDED, counted_in, is_as_many_times, loops_at
from .variation import bind

MOST_BUILT = 300_000
MOST_REPEATED = 8_000_000
# Of a last round nobody has seen the like of.
ANY = 1 << 60


class Seen:
    """How things were after a round."""

    def __init__(self, frame, answer=None):
        self.forms, self.lists, self.tables, self.schedules, self.numbers = {}, {}, {}, {}, {}
        # Things of the notebook can answer anything: then nothing is known, and the loop goes on.
        with contextlib.suppress(Exception):
            self._look(frame, answer)

    def _look(self, frame, answer):
        for name, path, value in forms.walk({**forms.names_of(frame), "": answer}):
            self.forms.setdefault(name, {})[path] = forms.form_of(value)
            if type(value) is int:
                if not path:
                    self.numbers[name] = value
            elif forms.is_sequence(value) or isinstance(value, set):
                self.lists[id(value)] = (value, len(value))
            elif type(value) is dict:
                self.tables[id(value)] = (value, len(value))
            elif scheduled.count_of(value) is not None:
                self.schedules[id(value)] = (value, scheduled.count_of(value))

    def size_of(self, key):
        """How long it was; None where it was not there."""
        return (self.lists.get(key) or self.tables.get(key) or (None, None))[1]


class Growth:
    """Of one loop, from its start and the two rounds before the cut to the end."""

    def __init__(self, start, before, after, rounds):
        self.start, self.before, self.after, self.rounds = start, before, after, rounds
        self.expected = {}
        self.irregular = {}
        # Schedules that were moved on, and how far they were before.
        self.moved_on = {}
        # Names and schedules that every round moves on by as much: where they began, and by how much.
        self.counters, self.scheduled = {}, {}
        # What may grow in rounds of some kind, and what is as long now as after the whole loop.
        self.uneven = {key: held for key, held in self._growing() if start is not None and start.size_of(key) is not None}
        self.settled, self.even, self.is_even = {}, set(), False

    def _growing(self):
        for key, (held, length) in self.after.lists.items():
            _, earlier = self.before.lists.get(key, (held, length))
            if forms.is_sequence(held) and not self._is_regular(key, length, length - earlier):
                yield key, held
        for key, (held, length) in self.after.tables.items():
            if self.start is not None and self.start.size_of(key) != length and type(next(reversed(held))) is int:
                yield key, held

    def is_filled_by(self, held):
        """Whether every round so far added as much to this list as the last."""
        _, length = self.after.lists.get(id(held), (held, 0))
        _, earlier = self.before.lists.get(id(held), (held, length))
        return length > earlier and self._is_regular(id(held), length, length - earlier)

    def fill(self, skipped, chosen=0):
        """Add what the rounds would have added that are left out now. `chosen`: so many come between them and the last."""
        self._count_schedules()
        self.count_to(self.rounds + skipped + 1)
        for key, (held, length) in self.after.lists.items():
            _, earlier = self.before.lists.get(key, (held, length))
            by = length - earlier
            if not self._is_regular(key, length, by):
                self.irregular[key] = held
            elif by > 0:
                if len(held) == length and lengthen(held, by, skipped):
                    self.expected[key] = (held, len(held) + by * (chosen + 1))
                else:
                    self.irregular[key] = held

    def _count_schedules(self):
        for key, (held, count) in self.after.schedules.items():
            by = count - self.before.schedules.get(key, (held, count))[1]
            began = self.start.schedules.get(key) if self.start is not None else None
            if by > 0 and began is not None and began[1] + self.rounds * by == count == scheduled.count_of(held):
                self.scheduled[key] = (held, began[1], by)
                self.moved_on[key] = (held, count)

    def counts_on(self, text, line):
        """Whether all numbers that the loop at this line counts are known in every round."""
        loops = loops_at(text, line)
        self.is_even = bool(loops) and is_as_many_times(loops[-1])
        if self.start is None or not text:
            return False
        for name in counted_in(loops) if loops else ():
            began, earlier, now = (seen.numbers.get(name) for seen in (self.start, self.before, self.after))
            if began is None or earlier is None or now is None or began + self.rounds * (now - earlier) != now:
                return False
            if now != earlier:
                self.counters[name] = (began, now - earlier)
        return True

    def count_to(self, number, frame=None):
        """Have what counts the rounds be where it is when the round of this number begins; names where there is a frame."""
        for held, began, by in self.scheduled.values():
            scheduled.set_count(held, began + by * (number - 1))
        for name, (began, by) in self.counters.items() if frame is not None else ():
            bind(frame, name, began + by * (number - 1))

    def fill_anyway(self, skipped):
        """Also lists that grew in some rounds only, about as much as they did."""
        for held in self.irregular.values():
            if held and forms.is_sequence(held):
                held.extend(list(held) * min(skipped // self.rounds + 1, MOST_BUILT // len(held)))

    def settle(self, kinds, looked_at):
        """Give what grows in rounds of some kind all that these would have added. `looked_at`: of rounds in between, their
        numbers and how things were before and after each."""
        if not kinds.whole:
            return
        self._look_again(looked_at)
        seen = {*kinds.known, *(kinds.of(number) for number, _, _ in looked_at)}
        for key in self.expected if self.is_even and kinds.times.keys() <= seen else ():
            steps = [(self.before, self.after), *((before, after) for _, before, after in looked_at)]
            sizes = [(before.size_of(key), after.size_of(key)) for before, after in steps]
            if all(None not in pair for pair in sizes) and len({after - before for before, after in sizes}) == 1:
                self.even.add(key)
        for key, held in self.uneven.items():
            by = self._by_kind(key, kinds, looked_at)
            if by is None or not by.keys() >= kinds.times.keys():
                continue
            whole = self.after.size_of(key) + sum(times * by[kind] for kind, times in kinds.times.items())
            if _fill_table(held, by, kinds, looked_at) if isinstance(held, dict) else _fill_list(held, by, whole):
                # A last round of a kind of its own is run as it is.
                self.expected[key] = (held, whole + by.get(kinds.of(kinds.length), ANY))
                self.irregular.pop(key, None)

    def _look_again(self, looked_at):
        """What only rounds of a kind make longer that did not come before grows unevenly too."""
        for _, before, after in looked_at:
            for key, (held, length) in [*after.lists.items(), *after.tables.items()]:
                sizes = [seen.size_of(key) if seen is not None else None for seen in (self.start, self.after, before)]
                new = None not in sizes and sizes[-1] < length and key not in self.uneven and key not in self.expected
                if new and (isinstance(held, dict) or forms.is_sequence(held)):
                    self.uneven[key] = held

    def _by_kind(self, key, kinds, looked_at):
        """How much rounds of each kind add; None where that does not say how it grew so far."""
        found = {}
        for number, before, after in looked_at:
            sizes = before.size_of(key), after.size_of(key)
            by = None if None in sizes else sizes[1] - sizes[0]
            if by is None or by < 0 or found.setdefault(kinds.of(number), by) != by:
                return None
        rest = self.after.size_of(key) - self.start.size_of(key)
        rest -= sum(times * found[kind] for kind, times in kinds.known.items() if kind in found)
        others = [kind for kind in kinds.known if kind not in found]
        if len(others) == 1 and rest >= 0 and rest % kinds.known[others[0]] == 0:
            # As the first round of all.
            found[others[0]], rest = rest // kinds.known[others[0]], 0
        return None if rest or len(others) > 1 else found

    def _is_regular(self, key, length, by):
        """Whether every round so far added as much as the last."""
        if self.start is None or key not in self.start.lists:
            # Made in the loop: a list that lives on from round to round may have begun at any of them.
            return by == 0
        return self.start.lists[key][1] + self.rounds * by == length

    def end(self, frame):
        """(names to whether they kept their form, lists of unknown length), when the last round is over."""
        for key, (held, length) in self.expected.items():
            if len(held) != length and length < ANY:
                self.irregular[key] = held
            elif key in self.uneven or key in self.even:
                self.settled[key] = held
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


def _fill_list(held, by, whole):
    block = max(by.values())
    missing = whole - len(held)
    block = block if block and missing % block == 0 else 1
    return missing == 0 or lengthen(held, block, missing // block)


def _fill_table(held, by, kinds, looked_at):
    """Keys that go on with the number of the round, in the rounds that add one."""
    ran = {number: kinds.of(number) for number, _, _ in looked_at}
    adding = [number for number, kind in ran.items() if by[kind]]
    added = list(held)[-len(adding) :]
    if not {1} <= set(by.values()) <= {0, 1} or len(adding) < 2 or len(held) < len(adding):
        return False
    if any(type(key) is not int for key in added) or sum(kinds.times[kind] for kind in by if by[kind]) > MOST_BUILT:
        return False
    if kinds.length - kinds.done > MOST_DECIDED:
        return False
    step, rest = divmod(added[1] - added[0], adding[1] - adding[0])
    if rest or any(key != added[0] + step * (number - adding[0]) for number, key in zip(adding, added)):
        return False
    value = held[added[-1]]
    for number, kind in kinds.left_out():
        if by[kind]:
            held.setdefault(added[0] + step * (number - adding[0]), value)
    return True


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
