// SPDX-License-Identifier: MIT
//
// headerctl: talks to headerd, and runs recordings without it. Parse, call, print: the table is in CommandTable.swift,
// each command in a file of its own.

import Glibc

exit(runHeaderctl(Array(CommandLine.arguments.dropFirst())))
