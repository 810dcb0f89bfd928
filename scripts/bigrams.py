#!/usr/bin/env python3
"""Makes the table of letter pairs in src/domain/secret/bigram.rs.

Usage: bigrams.py DIRECTORY... # prints the table for src/domain/secret/bigram.rs

Reads source texts (names, comments, documents), folds case, and counts which sign follows which among the 26 letters,
digits (one class) and all else (one class). A cell is how much likelier the pair is in such text than in random letters
and digits, in eighths of a bit, clamped to a signed byte.
"""
import math
import pathlib
import sys

SIGNS = 28


def sign(character):
    character = character.lower()
    if "a" <= character <= "z":
        return ord(character) - ord("a")
    return 26 if character.isdigit() else 27


def main():
    counts = [[1.0] * SIGNS for _ in range(SIGNS)]
    read = 0
    for directory in sys.argv[1:]:
        for path in sorted(pathlib.Path(directory).rglob("*")):
            if path.suffix not in (".rs", ".md", ".toml", ".py", ".js", ".ts", ".go", ".c", ".yaml") or read > 60_000_000:
                continue
            text = path.read_bytes()[:200_000].decode("ascii", "ignore")
            read += len(text)
            last = 27
            for character in text:
                this = sign(character)
                counts[last][this] += 1
                last = this
    # In random base 62 a letter (both cases) has 2 chances of 62, digits have 10.
    chance = [2 / 62] * 26 + [10 / 62, 1 / 62]
    total = sum(map(sum, counts))
    print("[")
    for left in range(SIGNS):
        cells = []
        for right in range(SIGNS):
            ratio = counts[left][right] / total / (chance[left] * chance[right])
            cells.append(str(max(-127, min(127, round(8 * math.log2(ratio))))))
        print(f"    [{', '.join(cells)}],")
    print("]")


main()
