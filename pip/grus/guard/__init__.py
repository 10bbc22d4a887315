"""The guard: `%load_ext grus` checks every cell before it runs, in any front end that runs IPython."""
