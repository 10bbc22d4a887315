# The report of each cell, with the doubts about it.
from .doubts import doubt_about_error, doubt_about_finish


def reporter(sources, strength, threads, effects, output, teller, reserve=None, unknowable=None):
    """A function that tells how the cell of that index ended. `reserve` and `unknowable` add their doubts."""

    def report(index, told):
        error = told.pop("error", None)
        effects.watching = False
        if told["status"] == "raised":
            circumstances = {
                "threads": threads,
                "source": sources[index],
                "pretended_gpu": getattr(reserve, "gpu", None) is not None,
                "own_gpu": getattr(reserve, "own", None),
            }
            told["doubt"] = doubt_about_error(error, effects, strength, circumstances)
        elif told["status"] == "finished":
            told["doubt"] = doubt_about_finish(effects, strength, sources[index])
        if unknowable is not None and told.get("doubt", "") is None:
            told["doubt"] = unknowable.doubt(error, sources[index], effects)
        if reserve is not None:
            reserve.qualify(told, error, sources, index, effects)
        told["output"], told["output_dropped"] = output.text(), output.dropped
        if output.shown:
            told["shown"] = output.shown
        told["effects"] = effects.notes
        teller.tell(cell=index, **told)
        output.clear()
        effects.notes = []
        effects.watching = True

    return report
