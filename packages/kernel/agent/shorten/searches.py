# Searches and cross-validations of scikit-learn are many fits of the same kind, each of which gives scores. Once they have
# used their share of time only the last one is still made; those between get the scores of the one before, so that every
# table keeps its form and only numbers differ.
import sys
import time

from .loops import ROUNDS

FIT = "_fit_and_score"


class Searches:
    def __init__(self, cuts):
        self.cuts = cuts

    def within(self, site, library):
        """From now on fits count for this place. Answers what ends this."""
        module = sys.modules.get("sklearn.utils.parallel")
        parallel = getattr(module, "Parallel", None)
        if parallel is None:
            return lambda: None
        whole = parallel.__call__
        parallel.__call__ = lambda workers, tasks: self._all(whole, workers, list(tasks), site, library)

        def end():
            parallel.__call__ = whole

        return end

    def _all(self, run, workers, tasks, site, library):
        if len(tasks) < ROUNDS + 2 or any(getattr(task[0], "__name__", "") != FIT for task in tasks):
            return run(workers, tasks)
        results, made = [], 0
        for number, task in enumerate(tasks):
            if made >= ROUNDS and self.cuts.is_spent(site) and number < len(tasks) - 1:
                self.cuts.note(site, "fits", made + 1, len(tasks), library)
                self.cuts.skip(site, 1, self.cuts.used[site] / made)
                results.append(dict(results[-1]))
                continue
            started = time.perf_counter()
            results += run(workers, [task])
            self.cuts.spend(site, time.perf_counter() - started)
            made += 1
        return results
