// SPDX-License-Identifier: MIT
exitProcess(HeaderdWeb.run())
