#!/usr/bin/env python3
"""Tests of headerd-web, the browser client and the playground, with a real daemon and a real Chromium.

usage: Tests/Web/run.py FOLDER-OF-THE-PROGRAMS [--short] [--only WORD] [--without WORD] [--pictures FOLDER]

Each function whose name begins with `test_` in a module of this folder is a test. --short leaves out those marked `long`.
"""
import argparse
import importlib
import inspect
import pathlib
import sys
import time
import traceback

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE))


class Options:
    """What tests are given."""

    def __init__(self, programs, pictures):
        self.programs, self.pictures = programs, pictures


def find(only, without, short):
    for path in sorted(HERE.glob("test_*.py")):
        module = importlib.import_module(path.stem)
        functions = inspect.getmembers(module, inspect.isfunction)
        for name, function in sorted(functions, key=lambda one: one[1].__code__.co_firstlineno):
            if name.startswith("test_") and function.__module__ == path.stem:
                full = f"{path.stem}.{name}"
                if only in full and not (without and without in full) and not (short and getattr(function, "long", False)):
                    yield full, function


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs", type=pathlib.Path)
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--without", default="")
    parser.add_argument("--pictures", type=pathlib.Path)
    arguments = parser.parse_args()
    options = Options(arguments.programs.resolve(), arguments.pictures)
    passed, failed = 0, []
    for name, function in find(arguments.only, arguments.without, arguments.short):
        began = time.monotonic()
        try:
            function(options)
            passed += 1
            print(f"{name}: {time.monotonic() - began:.1f} s", flush=True)
        except Exception:  # Whatever it is, the other tests go on.
            failed.append(name)
            print(f"{name}: FAILED\n{traceback.format_exc()}", flush=True)
    print(f"web: {passed} passed, {len(failed)} failed{': ' + ', '.join(failed) if failed else ''}")
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
