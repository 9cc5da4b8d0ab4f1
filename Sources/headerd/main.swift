// SPDX-License-Identifier: MIT
exitProcess(Headerd.run())
