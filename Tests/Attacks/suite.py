# SPDX-License-Identifier: MIT
"""What the suites of attacks have in common: the command line, and one last line that says what was run and what failed."""
import argparse
import os
import sys
import time
import traceback


def arguments(text, count=None):
    """The command line; `count` is a sentence about how many attacks there are, where that can be said."""
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", metavar="FOLDER-OF-THE-PROGRAMS", type=os.path.abspath)
    parser.add_argument("--short", action="store_true", help="less of everything, for `make test`")
    parser.add_argument("--seed", type=int, default=1, help="begins another row of random attacks")
    if count:
        parser.add_argument("--count", type=int, help=count)
    return parser.parse_args()


class Suite:
    def __init__(self, name, options):
        self.name, self.options = name, options
        self.passed, self.failed = 0, []
        self.began = time.monotonic()

    def run(self, name, attack, log=lambda: ""):
        began = time.monotonic()
        try:
            attack()
            self.passed += 1
            print(f"{name}: {time.monotonic() - began:.1f} s", flush=True)
        except Exception:  # Whatever it is, the other attacks go on.
            self.failed.append(name)
            print(f"{name}: FAILED\n{traceback.format_exc()}{log()[-3000:]}", flush=True)

    def finish(self):
        how = "short, " if self.options.short else ""
        found = f": {', '.join(self.failed)}" if self.failed else ""
        print(f"{self.name} ({how}seed {self.options.seed}, {time.monotonic() - self.began:.0f} s): "
              f"{self.passed} passed, {len(self.failed)} failed{found}")
        sys.exit(1 if self.failed or not self.passed else 0)
