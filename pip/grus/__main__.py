"""`python -m grus` is the command `grus`."""

from .command import main

main()
