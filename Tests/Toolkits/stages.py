# SPDX-License-Identifier: MIT
"""Six stages that a header goes through in every toolkit, and where things must be in pictures of them.

Pictures as a whole differ by fonts and themes, so what matters in them is compared: the edges of two drawers and of the rows below, found in
a column of pixels in which no text is. The drawers have colors of their own, and so have rows, which says where the first one is also when
the header covers it. At any place of the content

    bar      from 0 to max(LEAST, bar − place)    it collapses, or stretches where the toolkit pulls content beyond its edge
    tabs     below it
    content  from bar + tabs − place, behind the header
"""
from dataclasses import dataclass

BAR, TABS = (0, 136, 0), (0, 0, 136)
# Of rows, by their numbers, again and again.
ROWS = [(255, 255, 255 - 8 * number) for number in range(8)]
# `pulled`: beyond the edge, where the toolkit allows it. `restarted`: scrolled to that place while there is no daemon, which then comes back.
STAGES = ("at rest", "half collapsed", "collapsed", "pulled", "back", "restarted")


def css(color):
    return "#%02x%02x%02x" % color


@dataclass(frozen=True)
class Geometry:
    """Sizes in pixels, or rows of a terminal, and how far an edge may be from its place."""

    bar: float = 96
    least: float = 44
    tabs: float = 40
    row: float = 44
    far: float = 300
    slack: float = 1

    def place(self, stage):
        """How far the content is scrolled in a stage; a toolkit that pulls says how far it has pulled."""
        return {"half collapsed": (self.bar - self.least) / 2, "collapsed": self.far, "restarted": self.far}.get(stage, 0)

    def wrong(self, column, place):
        """What is wrong in a column of colors, from the top down; empty if nothing is."""
        runs, bottom = [], max(self.least, self.bar - place)
        for y, color in enumerate(column):
            if not runs or runs[-1][0] != color:
                runs.append([color, y, y])
            runs[-1][2] = y + 1
        known = {BAR, TABS, *ROWS}
        blank = [run for run in runs if run[0] not in known and run[2] - run[1] > self.slack]
        # An edge between two pixels is a pixel of a mixed color.
        runs = [run for run in runs if run[0] in known]
        header = [(run[0], *run[1:]) for run in runs if run[0] not in ROWS]
        wanted = [(color, top, end) for color, top, end in ((BAR, 0, bottom), (TABS, bottom, bottom + self.tabs)) if end > top]
        rows = [run for run in runs if run[0] in ROWS]
        found = [f"neither header nor content from {top} to {end}: {color}" for color, top, end in blank]
        if [one[0] for one in header] != [one[0] for one in wanted]:
            found.append(f"drawers {header}, not {wanted}")
        elif any(abs(is_at - belongs) > self.slack for one, other in zip(header, wanted) for is_at, belongs in zip(one[1:], other[1:])):
            found.append(f"drawers at {header}, not {wanted}")
        elif not rows or abs(rows[0][1] - bottom - self.tabs) > self.slack:
            found.append(f"the first row that is seen begins at {rows and rows[0][1]}, not {bottom + self.tabs}")
        else:
            found += self._wrong_rows(rows, place)
        return found

    def _wrong_rows(self, rows, place):
        numbers = [ROWS.index(color) for color, _, _ in rows]
        if any((after - before) % len(ROWS) != 1 for before, after in zip(numbers, numbers[1:])) or len(rows) < 2:
            return [f"rows {numbers}"]
        period = self.row * len(ROWS)
        off = (rows[1][1] - self.row * numbers[1] - (self.bar + self.tabs - place) + period / 2) % period - period / 2
        return [f"the content is {off:g} from its place"] if abs(off) > self.slack else []
