"""Sets the stage for one recorded notebook, in a kernel of its own: the state in front of the target cell, with synthetic
data in place of the recorded."""
