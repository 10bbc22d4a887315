# Loggers. Pickled by their name alone they would arrive without the level and the handlers that the notebook gave them.
import sys

GIVEN = ("level", "propagate", "disabled", "filters", "handlers")


def reduced(value, made, can_be_carried):
    """The one of that name, with what it was given; None of anything else. A handler that writes where a twin cannot stays
    behind."""
    logging = sys.modules.get("logging")
    if logging is None or type(value) not in (logging.Logger, logging.RootLogger):
        return None
    name = None if value is logging.root else value.name
    if logging.getLogger(name) is not value:
        return None
    given = {part: getattr(value, part) for part in GIVEN}
    given["handlers"] = [one for one in value.handlers if can_be_carried(one)]
    return logging.getLogger, (name,), given, None, None, made.set_attributes
