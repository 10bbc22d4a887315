"""A text with as many different characters as the recorded one."""

import os

KEEP = ("indexer",)


def before(namespace):
    characters = [chr(code) for code in range(ord("!"), ord("!") + 101)]
    os.makedirs("data/raw/txt/romance")
    with open("data/raw/txt/romance/domCasmurro.txt", "w", encoding="utf8") as file:
        file.write("".join(characters) * 100)
