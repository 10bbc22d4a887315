"""The row was dropped before: then the table is one row shorter, and the label is missing."""


def after(namespace):
    frame = namespace["df"]
    if len(frame) < 10841:
        frame.index = [label for label in range(len(frame) + 1) if label != 10472]
