#!/usr/bin/env python3
"""Draws how the cost of a hook grows.

    cargo bench --bench process -- --growth | benches/plot.py docs/plots

Reads lines of `what<TAB>size<TAB>ratio` and writes one SVG for each `what` into the directory. The
ratio is that of medians to an empty program in the same run.
"""

import re
import sys
from pathlib import Path

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 480, 260, 48, 40, 28, 16


def main() -> None:
    directory = Path(sys.argv[1])
    directory.mkdir(parents=True, exist_ok=True)
    series: dict[str, list[tuple[float, float]]] = {}
    for line in sys.stdin:
        fields = line.rstrip("\n").split("\t")
        if len(fields) == 3:
            series.setdefault(fields[0], []).append((float(fields[1]), float(fields[2])))
    for what, points in series.items():
        name = re.sub(r"[^a-z]+", "-", what.lower()).strip("-")
        (directory / f"{name}.svg").write_text(plot(what, sorted(points)))


def plot(what: str, points: list[tuple[float, float]]) -> str:
    most_x = max(x for x, _ in points) or 1
    most_y = max(1.0, max(y for _, y in points)) * 1.1

    def at(x: float, y: float) -> tuple[float, float]:
        across = LEFT + x / most_x * (WIDTH - LEFT - RIGHT)
        return across, HEIGHT - BOTTOM - y / most_y * (HEIGHT - BOTTOM - TOP)

    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in (at(*point) for point in points))
    left, base = at(0, 0)
    right, one = at(most_x, 1)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="11">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        f'<text x="{LEFT}" y="16" font-size="13">Time of the hook by {what}, in empty programs</text>',
        f'<path d="M{left},{TOP} V{base} H{right}" fill="none" stroke="#444"/>',
        f'<path d="M{left},{one:.1f} H{right}" stroke="#999" stroke-dasharray="4 3"/>',
        f'<text x="{left - 6}" y="{one + 4:.1f}" text-anchor="end">1.0</text>',
        f'<text x="{left - 6}" y="{TOP + 4}" text-anchor="end">{most_y:.1f}</text>',
        f'<polyline points="{path}" fill="none" stroke="#0b62a4" stroke-width="2"/>',
    ]
    for x, y in points:
        across, up = at(x, y)
        parts.append(f'<circle cx="{across:.1f}" cy="{up:.1f}" r="3" fill="#0b62a4"><title>{x:g}: {y:.2f}</title></circle>')
    for x in (0, most_x / 2, most_x):
        across, _ = at(x, 0)
        parts.append(f'<text x="{across:.1f}" y="{HEIGHT - 22}" text-anchor="middle">{x:g}</text>')
    parts.append(f'<text x="{(left + right) / 2:.1f}" y="{HEIGHT - 6}" text-anchor="middle">{what}</text>')
    return "\n".join(parts) + "\n</svg>\n"


if __name__ == "__main__":
    main()
