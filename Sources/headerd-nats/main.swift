// SPDX-License-Identifier: MIT
exitProcess(HeaderdNats.run())
