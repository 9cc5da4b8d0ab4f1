// SPDX-License-Identifier: MIT
import Glibc

exit(HeaderdWeb.run())
