#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints what llvm-cov export tells of each file as a table: regions, how many were reached, the share."""

import json
import sys


def main() -> None:
    root = sys.argv[1]
    files = json.load(sys.stdin)["data"][0]["files"]
    rows = []
    for file in files:
        regions = file["summary"]["regions"]
        rows.append((file["filename"].removeprefix(root + "/"), regions["count"], regions["covered"]))
    rows.sort()
    total = ("all", sum(row[1] for row in rows), sum(row[2] for row in rows))
    print("| decoder | regions | reached | share |\n| --- | ---: | ---: | ---: |")
    for name, count, covered in rows + [total]:
        print(f"| {name} | {count} | {covered} | {100 * covered / max(1, count):.1f} % |")


main()
