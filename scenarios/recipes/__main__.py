"""The command `python -m recipes`; what it does is in draws.py, which its workers can import."""

from .draws import main

if __name__ == "__main__":
    main()
